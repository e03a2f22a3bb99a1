#version 450

layout(location = 0) flat in ivec4 control;
layout(location = 0) out vec4 color;

void main()
{
    vec4 sum = vec4(0.0);
    int i = control.x;
    for (; i < control.y; i++)
    {
        if ((i & 3) == 1)
        {
            continue;
        }
        int j = 0;
        while (true)
        {
            int _50 = j;
            j = _50 + 1;
            if (_50 > control.z)
            {
                break;
            }
            switch (i % 5)
            {
                case 0:
                {
                    sum.x += 1.0;
                }
                case 1:
                {
                    switch (j & 1)
                    {
                        case 0:
                        {
                            sum.y += 0.5;
                            break;
                        }
                        default:
                        {
                            sum.z += 0.25;
                            break;
                        }
                    }
                    break;
                }
                case 3:
                {
                    continue;
                }
                default:
                {
                    sum.w += float(j);
                    break;
                }
            }
        }
    }
    bool _117;
    for (;;)
    {
        sum *= 0.5;
        i--;
        bool _111 = i > 0;
        if (_111)
        {
            _117 = sum.x > 1.0;
        }
        else
        {
            _117 = _111;
        }
        if (_117)
        {
            continue;
        }
        else
        {
            break;
        }
    }
    color = sum;
}


static int4 control;
static float4 color;

struct SPIRV_Cross_Input
{
    nointerpolation int4 control : TEXCOORD0;
};

struct SPIRV_Cross_Output
{
    float4 color : SV_Target0;
};

void frag_main()
{
    float4 sum = 0.0f.xxxx;
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
                    sum.x += 1.0f;
                    int _74 = j & 1;
                    switch (_74)
                    {
                        case 0:
                        {
                            float _80 = sum.y;
                            float _81 = _80 + 0.5f;
                            sum.y = _81;
                            break;
                        }
                        default:
                        {
                            float _86 = sum.z;
                            float _87 = _86 + 0.25f;
                            sum.z = _87;
                            break;
                        }
                    }
                    break;
                }
                case 1:
                {
                    int _74 = j & 1;
                    switch (_74)
                    {
                        case 0:
                        {
                            float _80 = sum.y;
                            float _81 = _80 + 0.5f;
                            sum.y = _81;
                            break;
                        }
                        default:
                        {
                            float _86 = sum.z;
                            float _87 = _86 + 0.25f;
                            sum.z = _87;
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
        sum *= 0.5f;
        i--;
        bool _111 = i > 0;
        if (_111)
        {
            _117 = sum.x > 1.0f;
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

SPIRV_Cross_Output main(SPIRV_Cross_Input stage_input)
{
    control = stage_input.control;
    frag_main();
    SPIRV_Cross_Output stage_output;
    stage_output.color = color;
    return stage_output;
}

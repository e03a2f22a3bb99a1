#version 450
layout(local_size_x = 4, local_size_y = 4, local_size_z = 1) in;

void main()
{
}


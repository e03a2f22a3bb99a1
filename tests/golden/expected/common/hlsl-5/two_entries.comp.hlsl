void comp_main()
{
}

[numthreads(4, 4, 1)]
void main()
{
    comp_main();
}

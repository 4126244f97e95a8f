/* A handwritten seven, 8 x 8, ink from 0 to 16: written by train.py. */
static const unsigned char seven[64] = {
    0, 3, 13, 16, 13, 0,  0,  0, 0, 9, 13, 8, 16, 5,  1,  0, 0, 0, 8, 14, 16, 16,
    5, 0, 0,  0,  8,  16, 15, 2, 0, 0, 0,  0, 2,  16, 7,  0, 0, 0, 0, 0,  7,  16,
    4, 0, 0,  0,  0,  0,  15, 9, 0, 0, 0,  0, 0,  2,  15, 3, 0, 0, 0, 0,
};

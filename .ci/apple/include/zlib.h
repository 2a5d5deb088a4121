// What the sources use of zlib.
#pragma once
#include <stddef.h>
typedef unsigned char Byte, Bytef;
typedef unsigned int uInt;
typedef unsigned long uLong, uLongf;
typedef void *voidpf;
typedef struct z_stream_s {
  Bytef *next_in;
  uInt avail_in;
  uLong total_in;
  Bytef *next_out;
  uInt avail_out;
  uLong total_out;
  char *msg;
  struct internal_state *state;
  voidpf (*zalloc)(voidpf, uInt, uInt);
  void (*zfree)(voidpf, voidpf);
  voidpf opaque;
  int data_type;
  uLong adler, reserved;
} z_stream;
typedef z_stream *z_streamp;
#define ZLIB_VERSION "1.2.12"
#define Z_FINISH 4
#define Z_OK 0
#define Z_STREAM_END 1
#define Z_DATA_ERROR (-3)
#define Z_MEM_ERROR (-4)
#define Z_BUF_ERROR (-5)
#define Z_HUFFMAN_ONLY 2
#define Z_DEFAULT_STRATEGY 0
#define Z_DEFLATED 8
int deflateInit2_(z_streamp, int, int, int, int, int, const char *, int);
int deflate(z_streamp, int);
int deflateEnd(z_streamp);
int inflateInit_(z_streamp, const char *, int);
int inflate(z_streamp, int);
int inflateEnd(z_streamp);
uLong crc32(uLong, const Bytef *, uInt);
uLong crc32_z(uLong, const Bytef *, size_t)
  __attribute__((availability(macos, introduced = 10.13), availability(ios, introduced = 11.0)));

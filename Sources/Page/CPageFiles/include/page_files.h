#pragma once

#include <stddef.h>

// Bytes that are part of the program.
typedef struct {
  const unsigned char *bytes;
  size_t count;
} tupelo_page_file;

// The page without its styles and scripts; all its styles; all its scripts; its engine as WebAssembly.
tupelo_page_file tupelo_page_html(void);
tupelo_page_file tupelo_page_styles(void);
tupelo_page_file tupelo_page_scripts(void);
tupelo_page_file tupelo_page_engine(void);

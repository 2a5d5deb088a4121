#pragma once

#include <stddef.h>

// Bytes that are part of the program.
typedef struct {
  const unsigned char *bytes;
  size_t count;
} tupelo_page_file;

// What makes a static site an app: the worker that keeps it, its manifest, and icons of 192 and 512 points.
tupelo_page_file tupelo_app_worker(void);
tupelo_page_file tupelo_app_manifest(void);
tupelo_page_file tupelo_app_icon(int points);
// The picture of previews of links.
tupelo_page_file tupelo_app_preview(void);

// The page without its styles and scripts; all its styles; its engine and its learner as WebAssembly.
tupelo_page_file tupelo_page_html(void);
tupelo_page_file tupelo_page_styles(void);
tupelo_page_file tupelo_page_engine(void);
tupelo_page_file tupelo_page_learner(void);

// The modules of the page, numbered from 0: the path of each, and its text.
int tupelo_page_module_count(void);
const char *tupelo_page_module_path(int number);
const char *tupelo_page_module_text(int number);

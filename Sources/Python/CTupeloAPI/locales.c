// With the package trait WithoutLocales, a static library has this in place of ICU's data.
//
// Foundation is linked with ICU, and ICU with 34 MB of languages, calendars and time zones. They are one array,
// `icudt76_dat` in Swift 6.3. The linker takes this array, so it leaves out the other: ICU itself has such a file for
// programs that need no data. Code that needs data, such as a DateFormatter, then fails. In the library only
// JSONSerialization asks for data, to sort keys in the system's locale: names of ASCII have an equal order without it.
#if defined(TUPELO_WITHOUT_LOCALES) && defined(__linux__)
#include <stdint.h>

/// The head of ICU's data, and a table of contents without entries.
const struct {
  uint16_t headSize;
  uint8_t magic[2];
  uint16_t infoSize, reserved;
  uint8_t isBigEndian, charset, charSize, reservedByte;
  uint8_t format[4], formatVersion[4], dataVersion[4], padding[8];
  uint32_t count, end;
} icudt76_dat = {
    .headSize = 32,
    .magic = {0xda, 0x27},
    .infoSize = 20,
    .charSize = 2,
    .format = {'T', 'o', 'C', 'P'},
    .formatVersion = {1},
};
#endif

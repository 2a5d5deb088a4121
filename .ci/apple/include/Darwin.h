// What the sources use of the C library, as Darwin declares it. The other headers of this folder include this one.
#pragma once
#include <stddef.h>
#include <stdint.h>

#define OS(macos_version, ios_version) \
  __attribute__((availability(macos, introduced = macos_version), availability(ios, introduced = ios_version)))

typedef long ssize_t, time_t;
typedef int64_t off_t;
typedef uint16_t mode_t, nlink_t;
typedef int32_t pid_t, dev_t, suseconds_t;
typedef uint32_t uid_t, gid_t, socklen_t, sigset_t;
typedef uint64_t ino_t, rlim_t;

// errno.h
int *__error(void);
char *strerror(int);
#define EINTR 4
#define EIO 5
#define EPERM 1
#define ENOENT 2
#define ESRCH 3
#define EBADF 9
#define ENOMEM 12
#define EBUSY 16
#define EACCES 13
#define EADDRINUSE 48
#define EADDRNOTAVAIL 49
#define EEXIST 17
#define EXDEV 18
#define ENOTDIR 20
#define EISDIR 21
#define EINVAL 22
#define EFBIG 27
#define ENOSPC 28
#define EROFS 30
#define EPIPE 32
#define ERANGE 34
#define EAGAIN 35
#define EWOULDBLOCK EAGAIN
#define ENOTSUP 45
#define ELOOP 62
#define ENAMETOOLONG 63
#define ENOTEMPTY 66
#define EDQUOT 69
#define ENOSYS 78
#define EOPNOTSUPP 102

// fcntl.h, unistd.h, sys/file.h
#define O_RDONLY 0x0000
#define O_WRONLY 0x0001
#define O_RDWR 0x0002
#define O_NONBLOCK 0x00000004
#define O_APPEND 0x00000008
#define O_CREAT 0x00000200
#define O_TRUNC 0x00000400
#define O_EXCL 0x00000800
#define O_NOFOLLOW 0x00000100
#define O_NOCTTY 0x00020000
#define O_DIRECTORY 0x00100000
#define O_CLOEXEC 0x01000000
#define F_GETFD 1
#define F_SETFD 2
#define F_GETFL 3
#define F_SETFL 4
#define FD_CLOEXEC 1
#define F_FULLFSYNC 51
#define AT_FDCWD -2
#define AT_SYMLINK_NOFOLLOW 0x0020
#define LOCK_SH 0x01
#define LOCK_EX 0x02
#define LOCK_NB 0x04
#define LOCK_UN 0x08
#define SEEK_SET 0
#define SEEK_END 2
#define PATH_MAX 1024
#define R_OK 4
#define W_OK 2
#define X_OK 1
#define F_OK 0
#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2
int close(int);
ssize_t read(int, void *, size_t);
ssize_t write(int, const void *, size_t);
ssize_t pread(int, void *, size_t, off_t);
off_t lseek(int, off_t, int);
int fsync(int);
int ftruncate(int, off_t);
int flock(int, int);
int access(const char *, int);
int unlink(const char *);
ssize_t readlink(const char *, char *, size_t);
int rmdir(const char *);
int link(const char *, const char *);
int symlink(const char *, const char *);
int pipe(int[2]);
int dup(int);
int dup2(int, int);
int isatty(int);
int chdir(const char *);
char *getcwd(char *, size_t);
pid_t getpgrp(void);
pid_t tcgetpgrp(int);
int fchown(int, uid_t, gid_t);
int chown(const char *, uid_t, gid_t);
char *mkdtemp(char *);
char *realpath(const char *, char *);
pid_t getpid(void);
pid_t getppid(void);
uid_t getuid(void);
uid_t geteuid(void);
gid_t getgid(void);
int gethostname(char *, size_t);
unsigned int sleep(unsigned int);
int usleep(unsigned int);
long sysconf(int);
#define _SC_PAGESIZE 29
#define _SC_NPROCESSORS_ONLN 58
#define _SC_PHYS_PAGES 200

// sys/stat.h
struct timespec {
  time_t tv_sec;
  long tv_nsec;
};
struct timeval {
  time_t tv_sec;
  suseconds_t tv_usec;
};
struct stat {
  dev_t st_dev;
  mode_t st_mode;
  nlink_t st_nlink;
  ino_t st_ino;
  uid_t st_uid;
  gid_t st_gid;
  dev_t st_rdev;
  struct timespec st_atimespec, st_mtimespec, st_ctimespec, st_birthtimespec;
  off_t st_size;
  int64_t st_blocks;
  int32_t st_blksize;
  uint32_t st_flags, st_gen;
  int32_t st_lspare;
  int64_t st_qspare[2];
};
int stat(const char *, struct stat *);
int lstat(const char *, struct stat *);
int fstat(int, struct stat *);
int fstatat(int, const char *, struct stat *, int) OS(10.10, 8.0);
int chmod(const char *, mode_t);
int fchmod(int, mode_t);
int mkdir(const char *, mode_t);
int mkfifo(const char *, mode_t);
mode_t umask(mode_t);

// sys/mman.h
#define PROT_READ 0x01
#define PROT_WRITE 0x02
#define MAP_SHARED 0x0001
#define MAP_PRIVATE 0x0002
#define MAP_ANON 0x1000
#define MAP_ANONYMOUS MAP_ANON
#define MADV_SEQUENTIAL 2
#define MADV_WILLNEED 3
#define POSIX_MADV_SEQUENTIAL 2
#define POSIX_MADV_WILLNEED 3
void *mmap(void *, size_t, int, int, int, off_t);
int munmap(void *, size_t);
int madvise(void *, size_t, int);
int posix_madvise(void *, size_t, int);

// sys/mount.h. The numbers of blocks in statvfs have 32 bits, so it is left out.
struct statfs {
  uint32_t f_bsize;
  int32_t f_iosize;
  uint64_t f_blocks, f_bfree, f_bavail, f_files, f_ffree;
};
int statfs(const char *, struct statfs *);

// sys/resource.h
#define RUSAGE_SELF 0
#define RUSAGE_CHILDREN -1
#define RLIMIT_FSIZE 1
#define RLIMIT_AS 5
#define RLIMIT_NPROC 7
#define RLIMIT_NOFILE 8
struct rlimit {
  rlim_t rlim_cur, rlim_max;
};
struct rusage {
  struct timeval ru_utime, ru_stime;
  long ru_maxrss, ru_ixrss, ru_idrss, ru_isrss, ru_minflt, ru_majflt, ru_nswap, ru_inblock, ru_oublock, ru_msgsnd,
    ru_msgrcv, ru_nsignals, ru_nvcsw, ru_nivcsw;
};
int getrlimit(int, struct rlimit *);
int setrlimit(int, const struct rlimit *);
int getrusage(int, struct rusage *);

// signal.h
#define SIGHUP 1
#define SIGINT 2
#define SIGQUIT 3
#define SIGILL 4
#define SIGTRAP 5
#define SIGABRT 6
#define SIGKILL 9
#define SIGBUS 10
#define SIGSEGV 11
#define SIGPIPE 13
#define SIGALRM 14
#define SIGTERM 15
#define SIGSTOP 17
#define SIGTSTP 18
#define SIGCONT 19
#define SIGXCPU 24
#define SIGXFSZ 25
#define SIGUSR1 30
#define SIGUSR2 31
typedef struct __siginfo siginfo_t;
union __sigaction_u {
  void (*__sa_handler)(int);
  void (*__sa_sigaction)(int, siginfo_t *, void *);
};
struct sigaction {
  union __sigaction_u __sigaction_u;
  sigset_t sa_mask;
  int sa_flags;
};
#define sa_handler __sigaction_u.__sa_handler
#define SIG_DFL (void (*)(int))0
#define SIG_IGN (void (*)(int))1
#define SIG_BLOCK 1
#define SIG_UNBLOCK 2
#define SIG_SETMASK 3
int pthread_sigmask(int, const sigset_t *, sigset_t *);
int kill(pid_t, int);
int raise(int);
void (*signal(int, void (*)(int)))(int);
int sigaction(int, const struct sigaction *, struct sigaction *);
int sigemptyset(sigset_t *);
int sigfillset(sigset_t *);
int sigaddset(sigset_t *, int);

// pthread.h
typedef struct _opaque_pthread_t *pthread_t;
struct _opaque_pthread_t {
  long __sig;
  void *__cleanup_stack;
  char __opaque[8176];
};
typedef struct _opaque_pthread_attr_t {
  long __sig;
  char __opaque[56];
} pthread_attr_t;
typedef struct _opaque_pthread_mutex_t {
  long __sig;
  char __opaque[56];
} pthread_mutex_t;
typedef struct _opaque_pthread_mutexattr_t pthread_mutexattr_t;
int pthread_mutex_init(pthread_mutex_t *, const pthread_mutexattr_t *);
int pthread_mutex_destroy(pthread_mutex_t *);
int pthread_mutex_lock(pthread_mutex_t *);
int pthread_mutex_unlock(pthread_mutex_t *);
typedef unsigned long pthread_key_t;
int pthread_key_create(pthread_key_t *, void (*)(void *));
int pthread_setspecific(pthread_key_t, const void *);
void *pthread_getspecific(pthread_key_t);

// spawn.h, sys/wait.h
typedef void *posix_spawnattr_t, *posix_spawn_file_actions_t;
#define POSIX_SPAWN_SETPGROUP 0x0002
#define POSIX_SPAWN_SETSIGDEF 0x0004
#define POSIX_SPAWN_SETSIGMASK 0x0008
int posix_spawn(
  pid_t *, const char *, const posix_spawn_file_actions_t *, const posix_spawnattr_t *, char *const[], char *const[]);
int posix_spawnattr_init(posix_spawnattr_t *);
int posix_spawnattr_destroy(posix_spawnattr_t *);
int posix_spawnattr_setsigdefault(posix_spawnattr_t *, const sigset_t *);
int posix_spawnattr_setsigmask(posix_spawnattr_t *, const sigset_t *);
int posix_spawnattr_setpgroup(posix_spawnattr_t *, pid_t);
int posix_spawnattr_setflags(posix_spawnattr_t *, short);
int posix_spawn_file_actions_init(posix_spawn_file_actions_t *);
int posix_spawn_file_actions_destroy(posix_spawn_file_actions_t *);
int posix_spawn_file_actions_addopen(posix_spawn_file_actions_t *, int, const char *, int, mode_t);
int posix_spawn_file_actions_adddup2(posix_spawn_file_actions_t *, int, int);
#define WNOHANG 1
pid_t waitpid(pid_t, int *, int);

// stdio.h, stdlib.h, string.h, locale.h, time.h
typedef struct __sFILE {
  unsigned char *_p;
} FILE;
extern FILE *__stdinp, *__stdoutp, *__stderrp;
int fflush(FILE *);
size_t fread(void *, size_t, size_t, FILE *);
size_t fwrite(const void *, size_t, size_t, FILE *);
int fputs(const char *, FILE *);
int setvbuf(FILE *, char *, int, size_t);
int rename(const char *, const char *);
int remove(const char *);
void perror(const char *);
#define _IOLBF 1
#define _IONBF 2
void free(void *);
void *malloc(size_t);
char *getenv(const char *);
int setenv(const char *, const char *, int);
int unsetenv(const char *);
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
void exit(int) __attribute__((noreturn));
void _exit(int) __attribute__((noreturn));
void abort(void) __attribute__((noreturn));
double strtod(const char *, char **);
float strtof(const char *, char **);
char *strdup(const char *);
size_t strlen(const char *);
int memcmp(const void *, const void *, size_t);
void *memcpy(void *, const void *, size_t);
void *memmove(void *, const void *, size_t);
void *memset(void *, int, size_t);
#define LC_ALL 0
char *setlocale(int, const char *);
time_t time(time_t *);
void *dlsym(void *, const char *);

// math.h
double exp(double);
double log(double);
double log2(double);
double log10(double);
double pow(double, double);
double sqrt(double);
double cbrt(double);
double cos(double);
double sin(double);
double tan(double);
double atan(double);
double tanh(double);
double tgamma(double);
double lgamma(double);
double erf(double);
double erfc(double);
double floor(double);
double ceil(double);
double round(double);
double fabs(double);

// sys/socket.h, netinet/in.h, netinet/tcp.h, arpa/inet.h, ifaddrs.h, netdb.h
typedef uint8_t sa_family_t;
typedef uint32_t in_addr_t;
typedef uint16_t in_port_t;
struct sockaddr {
  uint8_t sa_len;
  sa_family_t sa_family;
  char sa_data[14];
};
struct in_addr {
  in_addr_t s_addr;
};
struct sockaddr_in {
  uint8_t sin_len;
  sa_family_t sin_family;
  in_port_t sin_port;
  struct in_addr sin_addr;
  char sin_zero[8];
};
struct in6_addr {
  uint8_t bytes[16];
};
struct sockaddr_in6 {
  uint8_t sin6_len;
  sa_family_t sin6_family;
  in_port_t sin6_port;
  uint32_t sin6_flowinfo;
  struct in6_addr sin6_addr;
  uint32_t sin6_scope_id;
};
struct sockaddr_un {
  unsigned char sun_len;
  sa_family_t sun_family;
  char sun_path[104];
};
struct sockaddr_storage {
  uint8_t ss_len;
  sa_family_t ss_family;
  char ss_pad[126];
};
struct linger {
  int l_onoff, l_linger;
};
struct ifaddrs {
  struct ifaddrs *ifa_next;
  char *ifa_name;
  unsigned int ifa_flags;
  struct sockaddr *ifa_addr, *ifa_netmask, *ifa_dstaddr;
  void *ifa_data;
};
#define AF_UNIX 1
#define AF_INET 2
#define AF_INET6 30
#define SOCK_STREAM 1
#define SOCK_DGRAM 2
#define SOL_SOCKET 0xffff
#define SO_REUSEADDR 0x0004
#define SO_LINGER 0x0080
#define SO_SNDBUF 0x1001
#define SO_RCVBUF 0x1002
#define SO_NOSIGPIPE 0x1022
#define SHUT_WR 1
#define IPPROTO_TCP 6
#define TCP_NODELAY 0x01
#define INADDR_LOOPBACK (uint32_t)0x7f000001
#define IFF_UP 0x1
#define IFF_RUNNING 0x40
#define INET6_ADDRSTRLEN 46
#define NI_NUMERICHOST 0x00000002
#define NI_MAXHOST 1025
int socket(int, int, int);
int connect(int, const struct sockaddr *, socklen_t);
int bind(int, const struct sockaddr *, socklen_t);
int listen(int, int);
int accept(int, struct sockaddr *, socklen_t *);
int shutdown(int, int);
int getsockname(int, struct sockaddr *, socklen_t *);
int setsockopt(int, int, int, const void *, socklen_t);
int getsockopt(int, int, int, void *, socklen_t *);
int socketpair(int, int, int, int *);
ssize_t send(int, const void *, size_t, int);
ssize_t recv(int, void *, size_t, int);
in_addr_t inet_addr(const char *);
int inet_pton(int, const char *, void *);
const char *inet_ntop(int, const void *, char *, socklen_t);
int getifaddrs(struct ifaddrs **);
void freeifaddrs(struct ifaddrs *);
int getnameinfo(const struct sockaddr *, socklen_t, char *, socklen_t, char *, socklen_t, int);
struct pollfd {
  int fd;
  short events, revents;
};
int poll(struct pollfd *, unsigned int, int);
#define POLLIN 0x0001
#define POLLOUT 0x0004

// sys/ioctl.h, termios.h. FIONREAD and TIOCGWINSZ are macros of macros there: Swift sees TIOCGWINSZ by an overlay.
typedef unsigned long tcflag_t, speed_t;
typedef unsigned char cc_t;
struct termios {
  tcflag_t c_iflag, c_oflag, c_cflag, c_lflag;
  cc_t c_cc[20];
  speed_t c_ispeed, c_ospeed;
};
#define ECHO 0x00000008
#define ICANON 0x00000100
#define TCSANOW 0
int tcgetattr(int, struct termios *);
int tcsetattr(int, int, const struct termios *);
struct winsize {
  unsigned short ws_row, ws_col, ws_xpixel, ws_ypixel;
};

// sys/utsname.h, sys/sysctl.h
struct utsname {
  char sysname[256], nodename[256], release[256], version[256], machine[256];
};
int uname(struct utsname *);
int sysctlbyname(const char *, void *, size_t *, void *, size_t);

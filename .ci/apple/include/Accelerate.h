// The routines of Accelerate that TupeloBLAS calls. Apple has deprecated them from macOS 13.3 and iOS 16.4 on, for apps
// that do not define ACCELERATE_NEW_LAPACK: a higher minimum in the manifest is an error here.
#pragma once
#define BLAS_API \
  __attribute__((availability(macos, introduced = 10.2, deprecated = 13.3), \
                 availability(ios, introduced = 4.0, deprecated = 16.4)))
enum CBLAS_ORDER { CblasRowMajor = 101, CblasColMajor = 102 };
enum CBLAS_TRANSPOSE { CblasNoTrans = 111, CblasTrans = 112, CblasConjTrans = 113 };

void cblas_saxpy(const int n, const float a, const float *x, const int stepX, float *y, const int stepY) BLAS_API;
void catlas_saxpby(
  const int n, const float a, const float *x, const int stepX, const float b, float *y, const int stepY) BLAS_API;
void cblas_scopy(const int n, const float *x, const int stepX, float *y, const int stepY) BLAS_API;
void cblas_sscal(const int n, const float a, float *x, const int stepX) BLAS_API;
float cblas_snrm2(const int n, const float *x, const int stepX) BLAS_API;
void cblas_sgemv(
  const enum CBLAS_ORDER order, const enum CBLAS_TRANSPOSE transA, const int m, const int n, const float alpha,
  const float *a, const int lda, const float *x, const int stepX, const float beta, float *y,
  const int stepY) BLAS_API;
void cblas_sgemm(
  const enum CBLAS_ORDER order, const enum CBLAS_TRANSPOSE transA, const enum CBLAS_TRANSPOSE transB, const int m,
  const int n, const int k, const float alpha, const float *a, const int lda, const float *b, const int ldb,
  const float beta, float *c, const int ldc) BLAS_API;

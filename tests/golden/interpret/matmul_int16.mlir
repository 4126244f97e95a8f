// Products of two computed 16-bit matrices accumulate in 64 bits: full-range values, enough terms to overflow 32 bits, odd K,
// and rows and columns that do not fill a tile; y is transposed or not.
// RUN: quern opt %s --emit=interpret --input 'dense<-32768> : tensor<9x515xi16>' --input 'dense<-32768> : tensor<515x9xi16>' | FileCheck %s --check-prefix=LEAST
// RUN: quern opt %s --lower-to-integer --emit=run --input 'dense<-32768> : tensor<9x515xi16>' --input 'dense<-32768> : tensor<515x9xi16>' | FileCheck %s --check-prefix=LEAST
// RUN: quern opt %s --lower-to-integer --emit=run --cpu baseline --input 'dense<-32768> : tensor<9x515xi16>' --input 'dense<-32768> : tensor<515x9xi16>' | FileCheck %s --check-prefix=LEAST
// RUN: quern opt %s --emit=interpret --input 'dense<-32768> : tensor<9x515xi16>' --input 'dense<32767> : tensor<515x9xi16>' | FileCheck %s --check-prefix=GREATEST
// RUN: quern opt %s --lower-to-integer --emit=run --input 'dense<-32768> : tensor<9x515xi16>' --input 'dense<32767> : tensor<515x9xi16>' | FileCheck %s --check-prefix=GREATEST
// RUN: quern opt %s --lower-to-integer --emit=run --cpu baseline --input 'dense<-32768> : tensor<9x515xi16>' --input 'dense<32767> : tensor<515x9xi16>' | FileCheck %s --check-prefix=GREATEST
// RUN: quern opt %s --emit=interpret --input 'dense<-32768> : tensor<9x515xi16>' --input 'dense<255> : tensor<515x9xi16>' | FileCheck %s --check-prefix=LOW
// RUN: quern opt %s --lower-to-integer --emit=run --input 'dense<-32768> : tensor<9x515xi16>' --input 'dense<255> : tensor<515x9xi16>' | FileCheck %s --check-prefix=LOW
// RUN: quern opt %s --lower-to-integer --emit=run --cpu baseline --input 'dense<-32768> : tensor<9x515xi16>' --input 'dense<255> : tensor<515x9xi16>' | FileCheck %s --check-prefix=LOW
// RUN: quern opt %s --emit=interpret --input 'dense<-32768> : tensor<9x515xi16>' --input 'dense<-1> : tensor<515x9xi16>' | FileCheck %s --check-prefix=HIGH
// RUN: quern opt %s --lower-to-integer --emit=run --input 'dense<-32768> : tensor<9x515xi16>' --input 'dense<-1> : tensor<515x9xi16>' | FileCheck %s --check-prefix=HIGH
// RUN: quern opt %s --lower-to-integer --emit=run --cpu baseline --input 'dense<-32768> : tensor<9x515xi16>' --input 'dense<-1> : tensor<515x9xi16>' | FileCheck %s --check-prefix=HIGH
// LEAST: dense<[{{\[}}27649, 27649, 27649, 27649, 27649, 27649, 27649, 27649, 27649], {{.*}}27649, 27649, 27649, 27649, 27649, 27649, 27649, 27649, 27649]]> : tensor<9x9x
// LEAST-NEXT: dense<[{{\[}}27649, 27649, 27649, 27649, 27649, 27649, 27649, 27649, 27649], {{.*}}27649, 27649, 27649, 27649, 27649, 27649, 27649, 27649, 27649]]> : tensor<9x9x
// GREATEST: dense<[{{\[}}-27648, -27648, -27648, -27648, -27648, -27648, -27648, -27648, -27648], {{.*}}-27648, -27648, -27648, -27648, -27648, -27648, -27648, -27648, -27648]]> : tensor<9x9x
// GREATEST-NEXT: dense<[{{\[}}27649, 27649, 27649, 27649, 27649, 27649, 27649, 27649, 27649], {{.*}}27649, 27649, 27649, 27649, 27649, 27649, 27649, 27649, 27649]]> : tensor<9x9x
// LOW: dense<[{{\[}}-215, -215, -215, -215, -215, -215, -215, -215, -215], {{.*}}-215, -215, -215, -215, -215, -215, -215, -215, -215]]> : tensor<9x9x
// LOW-NEXT: dense<[{{\[}}27649, 27649, 27649, 27649, 27649, 27649, 27649, 27649, 27649], {{.*}}27649, 27649, 27649, 27649, 27649, 27649, 27649, 27649, 27649]]> : tensor<9x9x
// HIGH: dense<[{{\[}}1, 1, 1, 1, 1, 1, 1, 1, 1], {{.*}}1, 1, 1, 1, 1, 1, 1, 1, 1]]> : tensor<9x9x
// HIGH-NEXT: dense<[{{\[}}27649, 27649, 27649, 27649, 27649, 27649, 27649, 27649, 27649], {{.*}}27649, 27649, 27649, 27649, 27649, 27649, 27649, 27649, 27649]]> : tensor<9x9x
!w = !quant.uniform<i16:f32, 0.001>
!y = !quant.uniform<i16:f32, 20.0>
module attributes {quern.numerics = "litert-ref"} {
  func.func @main(%s: tensor<9x515xi16>, %t: tensor<515x9xi16>) -> (tensor<9x9x!y>, tensor<9x9x!y>) {
    %x = quant.scast %s : tensor<9x515xi16> to tensor<9x515x!w>
    %y = quant.scast %t : tensor<515x9xi16> to tensor<515x9x!w>
    %0 = "ml.matmul"(%x, %y) : (tensor<9x515x!w>, tensor<515x9x!w>) -> tensor<9x9x!y>
    %1 = "ml.matmul"(%x, %x) {transpose_y = true} : (tensor<9x515x!w>, tensor<9x515x!w>) -> tensor<9x9x!y>
    return %0, %1 : tensor<9x9x!y>, tensor<9x9x!y>
  }
}

internal import Foundation
package import TupeloBase

extension FailedCall {
  /// Why a call of Foundation failed: the system's own reason, such as "Permission denied". Foundation's own texts name
  /// neither file nor reason. If the system gives no reason, the result is Foundation's text.
  package static func reason(_ error: any Error) -> String {
    let underlying = (error as NSError).userInfo[NSUnderlyingErrorKey] as? any Error
    let deepest = (underlying ?? error) as NSError
    guard deepest.domain == NSPOSIXErrorDomain else { return reason(ofCocoa: error as NSError) }
    return text(Int32(deepest.code))
  }

  /// The reason for an error of Foundation that has no reason from the system.
  private static func reason(ofCocoa error: NSError) -> String {
    guard error.domain == NSCocoaErrorDomain else { return error.localizedDescription }
    return switch CocoaError.Code(rawValue: error.code) {
    case .fileReadNoPermission, .fileWriteNoPermission: text(EACCES)
    case .fileNoSuchFile, .fileReadNoSuchFile: text(ENOENT)
    case .fileWriteFileExists: text(EEXIST)
    case .fileWriteOutOfSpace: text(ENOSPC)
    case .fileWriteUnknown: "a file is where a folder should be, or the disk refuses to write"
    default: error.localizedDescription
    }
  }
}

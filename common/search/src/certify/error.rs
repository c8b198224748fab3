//! Why a certificate is refused.

use thiserror::Error;

/// What is wrong with a certificate, and in which line. A refused certificate says nothing about its claim.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum CertificateError {
    /// A newer format, or no certificate at all.
    #[error("this is no certificate that this program reads: the first line must be `{expected}`")]
    Unknown {
        /// What the first line should be.
        expected: &'static str,
    },
    /// The file was changed, or is not complete.
    #[error("the checksum does not match: the file was changed or is not complete")]
    Checksum,
    /// Larger than is read.
    #[error("the certificate has {bytes} bytes; {limit} are read at most")]
    TooLarge {
        /// Its size.
        bytes: usize,
        /// The most that is read.
        limit: usize,
    },
    /// A line that proves nothing.
    #[error("line {line}: {reason}")]
    Line {
        /// Which, from 1.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
}

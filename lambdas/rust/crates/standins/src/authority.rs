use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, DnType, ExtendedKeyUsagePurpose, IsCa, KeyPair,
    KeyUsagePurpose, PKCS_RSA_SHA256,
};
use time::{Duration, OffsetDateTime};

/// `VALIDITY` is the number of days that a chain is good for.
const VALIDITY: i64 = 30;

/// A new chain of three, RSA-2048 throughout, as DynamoDB's own is: the handshake then costs what it costs there.
pub struct NewChain {
    /// The certificate to trust, PEM.
    pub root: String,
    /// Leaf, intermediate and the leaf's key, PEM.
    pub server: String,
    /// When the chain ends, in seconds since 1970.
    pub not_after: i64,
}

impl NewChain {
    /// A chain for localhost, 127.0.0.1 and ::1. The keys of the two authorities are forgotten.
    pub fn generate() -> Result<Self, rcgen::Error> {
        let not_after = OffsetDateTime::now_utc() + Duration::days(VALIDITY);
        let root = CertifiedIssuer::self_signed(authority("Kelvin local root", not_after), key()?)?;
        let intermediate =
            CertifiedIssuer::signed_by(authority("Kelvin local intermediate", not_after), key()?, &root)?;
        let leaf_key = key()?;
        let leaf = leaf(not_after)?.signed_by(&leaf_key, &intermediate)?;
        Ok(Self {
            root: root.pem(),
            server: leaf.pem() + &intermediate.pem() + &leaf_key.serialize_pem(),
            not_after: not_after.unix_timestamp(),
        })
    }
}

fn key() -> Result<KeyPair, rcgen::Error> {
    KeyPair::generate_for(&PKCS_RSA_SHA256)
}

fn authority(name: &str, not_after: OffsetDateTime) -> CertificateParams {
    let mut params = named(CertificateParams::default(), name, not_after);
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
    params
}

fn leaf(not_after: OffsetDateTime) -> Result<CertificateParams, rcgen::Error> {
    let names = ["localhost", "127.0.0.1", "::1"].map(String::from);
    let mut params = named(CertificateParams::new(names)?, "localhost", not_after);
    params.use_authority_key_identifier_extension = true;
    params.key_usages = vec![KeyUsagePurpose::DigitalSignature, KeyUsagePurpose::KeyEncipherment];
    params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
    Ok(params)
}

fn named(mut params: CertificateParams, name: &str, not_after: OffsetDateTime) -> CertificateParams {
    params.distinguished_name.push(DnType::CommonName, name);
    // A day back, for clocks that differ.
    params.not_before = OffsetDateTime::now_utc() - Duration::days(1);
    params.not_after = not_after;
    params
}

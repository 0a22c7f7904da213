"""Version of the AWS SDK: boto3 and aioboto3 both send their requests through botocore."""

from botocore import __version__

SDK_VERSION = f"botocore {__version__}"

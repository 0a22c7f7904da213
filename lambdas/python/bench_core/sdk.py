"""The AWS SDK in the process: botocore is what boto3 and aioboto3 both make their requests with."""

from botocore import __version__

SDK_VERSION = f"botocore {__version__}"

/** Permissions on all resources, in the format of permissionsOf, with the reason why they cannot be narrower. */
export const unscopedPermissions: Readonly<Record<string, string>> = {
  "DriverplanRole: lambda:GetAccountSettings on *":
    "the call is about the account, it takes no resource",
  "firstrequestwarmedRole: dynamodb:ListTables on *":
    "the warm-up call of the variant `warmed`; ListTables takes no resource " +
    "(docs.aws.amazon.com/service-authorization/latest/reference/list_amazondynamodb.html)",
};

/** Actions with a wildcard, with the reason. */
export const wildcardActions: Readonly<Record<string, string>> = {
  "s3:DeleteObject*": "CDK's own grant to the function that empties the bucket, on this bucket",
  "s3:GetBucket*": "CDK's own grant to the function that empties the bucket, on this bucket",
  "s3:List*": "CDK's own grant to the function that empties the bucket, on this bucket",
};

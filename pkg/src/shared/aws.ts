/** Signatures of requests to S3. The build puts them into this one file, so that installing the package brings nothing else. */

export { AwsClient } from "aws4fetch";

// A Node.js function that reports its environment. Deployable as is: handler index.handler.
export const handler = async () => ({ variables: { ...process.env }, folder: process.cwd() });

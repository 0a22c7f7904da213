// What a Node.js function finds of its environment. Deployable as it is: handler index.handler.
export const handler = async () => ({ variables: { ...process.env }, folder: process.cwd() });

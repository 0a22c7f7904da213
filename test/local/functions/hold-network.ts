import { openNetwork } from "../../../lib/local/environment-network.ts";

// Prints the id of the process that holds the network, which is in the path of its tables, and goes on until it is ended.
const { network } = await openNetwork();
console.log(/^\/proc\/(\d+)\//.exec(network?.tables ?? "")?.[1]);

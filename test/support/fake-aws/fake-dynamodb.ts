import type { FakeRequest, FakeResponse, FakeService } from "./http.ts";

type Written = Readonly<Record<string, { readonly S?: string; readonly N?: string }>>;

/** DynamoDB's BatchWriteItem in memory. */
export class FakeDynamoDb implements FakeService {
  readonly items: Written[] = [];
  readonly batchSizes: number[] = [];
  /** Number of items that the first batch leaves unprocessed. */
  readonly #unprocessed: number;

  constructor(unprocessed = 0) {
    this.#unprocessed = unprocessed;
  }

  respond({ body }: FakeRequest): FakeResponse {
    const [table, requests] = Object.entries(JSON.parse(body).RequestItems)[0] as [
      string,
      { PutRequest: { Item: Written } }[],
    ];
    this.batchSizes.push(requests.length);
    const left = this.batchSizes.length === 1 ? this.#unprocessed : 0;
    const taken = requests.slice(0, requests.length - left);
    this.items.push(...taken.map((request) => request.PutRequest.Item));
    const rest = requests.slice(requests.length - left);
    const UnprocessedItems = rest.length === 0 ? {} : { [table]: rest };
    return { status: 200, body: JSON.stringify({ UnprocessedItems }) };
  }
}

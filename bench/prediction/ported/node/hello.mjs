// lambda-perf's function: it returns a greeting.
export async function handler() {
  return { statusCode: 200, body: "hello" };
}

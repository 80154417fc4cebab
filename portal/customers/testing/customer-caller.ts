import { customersHttp } from '#contracts/portal/customers.ts';
import { newestCode } from '#harness/mailbox.ts';
import { type Answer, newAddress, type TestPortal } from '#harness/portal.ts';
import type { Secret } from '#runtime/secret.ts';

type Endpoint = (typeof customersHttp)[keyof typeof customersHttp];

interface Asked {
  readonly body?: unknown;
  /** Bearer token. */
  readonly as?: string;
  readonly id?: string;
  /** By default a different address for each call. */
  readonly from?: string;
  readonly at?: TestPortal;
}

/** Sends a customer program's requests to a portal. */
export const createCaller = (portal: TestPortal, masterKey: Secret) => {
  const ask = async (
    endpoint: Endpoint,
    { body, as, id = '', from = newAddress(), at = portal }: Asked = {},
  ): Promise<Answer> => {
    const response = await fetch(at.url + endpoint.path.replace(':id', id), {
      method: endpoint.method,
      headers: {
        'X-Forwarded-For': from,
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(as === undefined ? {} : { Authorization: `Bearer ${as}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, headers: response.headers, body: await response.json() };
  };
  let customers = 0;
  const newCustomer = async () => {
    customers += 1;
    const email = `customer-${customers}@example.com`;
    return { email, license: await portal.issue({ buyerEmail: email }) };
  };
  const requestCode = (email: string, from?: string, at = portal) =>
    ask(customersHttp.requestCode, { body: { email }, at, ...(from ? { from } : {}) });
  const codeFor = (email: string) => newestCode(portal.context, masterKey, email);
  const signInWith = (pending: string, code: string, at = portal) =>
    ask(customersHttp.signIn, { body: { pending, code }, at });
  const signIn = async (email: string): Promise<string> => {
    const { body } = await requestCode(email);
    return (await signInWith(body.pending, await codeFor(email))).body.token;
  };
  return { ask, newCustomer, requestCode, codeFor, signInWith, signIn };
};

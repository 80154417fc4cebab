import type { TransferRefusal } from '#contracts/desktop/desktop-transfer.ts';
import type { Activation } from '#contracts/license/license-answers.ts';
import { customersHttp } from '#contracts/portal/customers.ts';
import { Secret } from '#runtime/secret.ts';
import type { CustomerPortal } from './customer-portal.ts';
import type { DesktopHandlers } from './ipc-registrar.ts';

type TransferHandlers = Pick<DesktopHandlers, Extract<keyof DesktopHandlers, `transfer.${string}`>>;

/** What is known of a customer in the middle of a transfer; none of it is written to disk. */
interface Way {
  readonly email: string | null;
  /** Proves to the portal that the code comes from where it was requested. */
  readonly pending: string | null;
  readonly session: Secret | null;
  readonly chosen: string | null;
  /** Shown by the portal for a code that is now used up. */
  readonly key: Secret | null;
}
const nowhere: Way = { email: null, pending: null, session: null, chosen: null, key: null };

const refused = (code: string, detail: string): TransferRefusal => ({
  outcome: 'refused',
  code,
  detail,
  retryAfterSeconds: null,
  nextFreeAt: null,
});
const notSignedIn = refused(
  'UNAUTHENTICATED',
  'Your sign-in has ended. Start again with your e-mail address.',
);

/** Brings a license to this machine: sign-in by mailed code, transfer, the key by a second code, activation. */
export const transferCalls = ({
  portal,
  hwid,
  activate,
}: {
  readonly portal: CustomerPortal;
  /** This machine's hardware ID; null when it has none that could be used. */
  readonly hwid: () => string | null;
  readonly activate: (key: Secret) => Promise<Activation>;
}): TransferHandlers => {
  let way = nowhere;

  /** Asks as the customer who is signed in; an ended session is forgotten. */
  const asCustomer: CustomerPortal['ask'] = async (endpoint, asking) => {
    if (way.session === null) return notSignedIn;
    const answer = await portal.ask(endpoint, { ...asking, session: way.session });
    if (answer.outcome !== 'refused' || answer.code !== 'UNAUTHENTICATED') return answer;
    way = { ...nowhere, email: way.email };
    return notSignedIn;
  };
  const licenses = async () => {
    const answer = await asCustomer(customersHttp.licenses);
    return answer.outcome === 'refused' ? answer : ({ outcome: 'done', rows: answer.value.rows } as const);
  };

  /** Requests the transfer when the license is bound elsewhere and no transfer to this machine is pending yet. */
  const transferTo = async (here: string, licenseId: string): Promise<TransferRefusal | null> => {
    const params = { id: licenseId };
    const found = await asCustomer(customersHttp.license, { params });
    if (found.outcome === 'refused') return found;
    const { machine, transfer } = found.value.license;
    const { pending } = transfer;
    const isBoundElsewhere = machine !== null && machine.hwid !== here;
    if (!isBoundElsewhere && pending === null) return null;
    if (pending?.toHwid === here) return null;
    const body = { hwid: here, replaces: pending?.id ?? null };
    const asked = isBoundElsewhere
      ? await asCustomer(customersHttp.requestTransfer, { params, body })
      : await asCustomer(customersHttp.cancelTransfer, { params });
    return asked.outcome === 'refused' ? asked : null;
  };

  return {
    'transfer.standing': () => ({
      email: way.email,
      isSignedIn: way.session !== null,
      chosen: way.chosen,
    }),
    async 'transfer.requestCode'({ email }) {
      const answer = await portal.ask(customersHttp.requestCode, { body: { email } });
      if (answer.outcome === 'refused') return answer;
      way = { ...nowhere, email, pending: answer.value.pending };
      return { outcome: 'done', expiresInSeconds: answer.value.expiresInSeconds };
    },
    async 'transfer.signIn'({ code }) {
      const { pending } = way;
      // The code is used up, and the list that was to follow got lost.
      if (pending === null) return licenses();
      const answer = await portal.ask(customersHttp.signIn, { body: { pending, code } });
      if (answer.outcome === 'refused') return answer;
      const { email, token } = answer.value;
      way = { ...nowhere, email, session: new Secret(token) };
      return licenses();
    },
    'transfer.licenses': licenses,
    async 'transfer.begin'({ licenseId }) {
      const here = hwid();
      if (here === null) return refused('HWID_UNAVAILABLE', 'This machine has no usable hardware ID (HWID).');
      const refusal = await transferTo(here, licenseId);
      if (refusal) return refusal;
      const asked = await asCustomer(customersHttp.requestRevealCode, { params: { id: licenseId } });
      if (asked.outcome === 'refused') return asked;
      way = { ...way, chosen: licenseId, key: null };
      return { outcome: 'done', expiresInSeconds: asked.value.expiresInSeconds };
    },
    async 'transfer.cancel'({ licenseId }) {
      const answer = await asCustomer(customersHttp.cancelTransfer, { params: { id: licenseId } });
      if (answer.outcome === 'refused') return answer;
      way = { ...way, chosen: null, key: null };
      return licenses();
    },
    async 'transfer.activate'({ code }) {
      const { chosen } = way;
      if (chosen === null) return notSignedIn;
      if (code !== null) {
        const shown = await asCustomer(customersHttp.reveal, { params: { id: chosen }, body: { code } });
        if (shown.outcome === 'refused') return shown;
        way = { ...way, key: new Secret(shown.value.licenseKey) };
      }
      if (way.key === null) return refused('WRONG_CREDENTIALS', 'Enter the code from the second e-mail.');
      const report = await activate(way.key);
      if (report.outcome === 'activated') await leave();
      return { outcome: 'done', report };
    },
    async 'transfer.leave'() {
      await leave();
      return {};
    },
  };

  async function leave(): Promise<void> {
    const { session } = way;
    way = nowhere;
    // A lost sign-out only leaves a session that expires by itself.
    if (session) await portal.ask(customersHttp.signOut, { session });
  }
};

import type { LicenseHistory } from '#contracts/customers.ts';
import type { LicenseActor, LicenseEventKind } from '../licenses/licenses.tables.ts';

export interface HistoryEvent {
  readonly kind: LicenseEventKind;
  readonly actor: LicenseActor;
  readonly data: Readonly<Record<string, unknown>>;
  readonly at: Date;
}

type Sentence = (data: HistoryEvent['data'], who: string) => string;

/** Enough to compare with what the license wizard displays. */
const shortHwid = (hwid: unknown): string =>
  typeof hwid === 'string' ? `${hwid.slice(0, 'sha256:'.length + 8)}…` : 'unknown';

const dayFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });

const newExpiry = ({ to }: HistoryEvent['data']): string => {
  const { expiresAt } = (to ?? {}) as { expiresAt?: unknown };
  return typeof expiresAt === 'string' ? ` until ${dayFormat.format(new Date(expiresAt))}` : '';
};

/** What a customer is told of each kind; of kinds that are not here, such as the vendor's own notes, nothing. */
const sentences: Partial<Record<LicenseEventKind, Sentence>> = {
  issued: () => 'License issued',
  activated: ({ hwid, binding }) =>
    binding === 'same'
      ? `Activated again on the same machine, ${shortHwid(hwid)}`
      : `Activated on the machine ${shortHwid(hwid)}`,
  activation_refused: ({ hwid }) => `Another machine, ${shortHwid(hwid)}, tried to activate and was refused`,
  unbound: () => 'The vendor freed the license from its machine',
  transfer_requested: ({ to, corrects }) =>
    corrects
      ? `You corrected the transfer; it now names the machine ${shortHwid(to)}`
      : `You requested a transfer to the machine ${shortHwid(to)}`,
  transfer_cancelled: () => 'You cancelled the transfer',
  transfer_granted: () => 'The vendor granted one more transfer',
  transferred: ({ from, to }) => `Transferred from the machine ${shortHwid(from)} to ${shortHwid(to)}`,
  key_revealed: () => 'You had the license key shown',
  suspended: (_data, who) => `Suspended by ${who}`,
  resumed: (_data, who) => `Resumed by ${who}`,
  revoked: (_data, who) => `Revoked by ${who}`,
  subscription_ended: () => 'The subscription ended',
  extended: (data, who) => `Extended by ${who}${newExpiry(data)}`,
};

const names: Partial<Record<LicenseActor, string>> = { vendor: 'the vendor', gateway: 'the payment service' };

/** The history of a license in plain words. Its own events alone; addresses and names of people stay out. */
export const tellHistory = (events: readonly HistoryEvent[]): LicenseHistory =>
  events.flatMap(({ kind, actor, data, at }) => {
    const text = sentences[kind]?.(data, names[actor] ?? 'the portal');
    return text === undefined ? [] : [{ at: at.toISOString(), text }];
  });

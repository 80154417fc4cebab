import type { Language } from '#contracts/kernel/language.ts';
import type { InWords } from '#contracts/kernel/words.ts';
import type { LicenseHistory } from '#contracts/portal/customers.ts';
import type { LicenseActor, LicenseEventKind } from '../database/stored-values.ts';
import { portalFormat } from '../language/portal-format.ts';
import { historyWords } from './history.words.ts';

interface HistoryEvent {
  readonly kind: LicenseEventKind;
  readonly actor: LicenseActor;
  readonly data: Readonly<Record<string, unknown>>;
  readonly at: Date;
}

type Words = InWords<(typeof historyWords)['en']>;
/** Enough to compare with what the license wizard displays. */
const shortHwid = (hwid: unknown, { unknownMachine }: Words): string =>
  typeof hwid === 'string' ? `${hwid.slice(0, 'sha256:'.length + 8)}…` : unknownMachine;

const newExpiry = ({ to }: HistoryEvent['data']): string | null => {
  const { expiresAt } = (to ?? {}) as { expiresAt?: unknown };
  return typeof expiresAt === 'string' ? expiresAt : null;
};

/** What a customer reads for each kind of event; kinds that are missing here, such as the vendor's own notes, are not shown. */
const sentences: Partial<
  Record<
    LicenseEventKind,
    (telling: {
      readonly words: Words;
      readonly data: HistoryEvent['data'];
      /** For example "by the vendor". */
      readonly by: string;
      readonly day: (iso: string) => string;
    }) => string
  >
> = {
  issued: ({ words }) => words.issued,
  activated: ({ words, data }) =>
    data.binding === 'same'
      ? words.activatedAgain(shortHwid(data.hwid, words))
      : words.activated(shortHwid(data.hwid, words)),
  activation_refused: ({ words, data }) => words.refused(shortHwid(data.hwid, words)),
  unbound: ({ words }) => words.unbound,
  transfer_requested: ({ words, data }) =>
    data.corrects
      ? words.transferCorrected(shortHwid(data.to, words))
      : words.transferRequested(shortHwid(data.to, words)),
  transfer_cancelled: ({ words }) => words.transferCancelled,
  transfer_granted: ({ words }) => words.transferGranted,
  transferred: ({ words, data }) => words.transferred(shortHwid(data.from, words), shortHwid(data.to, words)),
  key_revealed: ({ words }) => words.keyRevealed,
  suspended: ({ words, by }) => words.suspended(by),
  resumed: ({ words, by }) => words.resumed(by),
  revoked: ({ words, by }) => words.revoked(by),
  subscription_ended: ({ words }) => words.subscriptionEnded,
  extended({ words, data, by, day }) {
    const expiresAt = newExpiry(data);
    return expiresAt === null ? words.extended(by) : words.extendedUntil(by, day(expiresAt));
  },
};

const actorName = (actor: LicenseActor, { actors }: Words): string =>
  actor === 'vendor' || actor === 'gateway' ? actors[actor] : actors.portal;

/** The history of a license in plain words. Only its own events; addresses and people's names are left out. */
export const tellHistory = (events: readonly HistoryEvent[], language: Language): LicenseHistory => {
  const words = historyWords[language];
  const { day } = portalFormat[language];
  return events.flatMap(({ kind, actor, data, at }) => {
    const text = sentences[kind]?.({ words, data, by: actorName(actor, words), day });
    return text === undefined ? [] : [{ at: at.toISOString(), text }];
  });
};

import type { LicenseStatus } from '#contracts/license/license-state.ts';
import type { ComponentName, StackStatus } from '#contracts/operations/stack.ts';

/** Something that needs a person. */
export type Notice =
  | { readonly kind: 'component-failed'; readonly component: ComponentName; readonly reason: string | null }
  | { readonly kind: 'component-troubled'; readonly component: ComponentName; readonly reason: string | null }
  | { readonly kind: 'stack-back' }
  | { readonly kind: 'license-grace'; readonly daysLeft: number }
  | { readonly kind: 'license-refused'; readonly detail: string }
  | { readonly kind: 'license-back' }
  | { readonly kind: 'disk-low'; readonly freeBytes: number }
  | { readonly kind: 'update-ready'; readonly version: string }
  | { readonly kind: 'game-crashed'; readonly serverId: string; readonly name: string }
  | {
      readonly kind: 'game-stays-down';
      readonly serverId: string;
      readonly name: string;
      readonly crashes: number;
    }
  /** More games than people are told of one by one. */
  | { readonly kind: 'games-crashed' };

/** What a notice is about; each topic has at most one at a time. */
export type NoticeTopic = ComponentName | 'stack' | 'license' | 'disk' | 'update';

/** The step that people were last told of, by topic. At another step they are told again. */
export type ToldSteps = Readonly<Partial<Record<NoticeTopic, string | undefined>>>;

export interface NoticeFacts {
  readonly status: StackStatus;
  readonly license: LicenseStatus;
  /** Free room on the data folder's disk; null while unknown. */
  readonly freeBytes: number | null;
  /** The version of an update that waits to be installed. */
  readonly updateReady: string | null;
  readonly nowMs: number;
}

interface NoticeVerdict {
  /** To show now. */
  readonly news: readonly { readonly topic: NoticeTopic; readonly notice: Notice }[];
  readonly told: ToldSteps;
}

/** The state of one topic; null: nothing is wrong with it. */
type Standing = { readonly step: string; readonly notice: Notice } | null;

/** After this time in trouble, nothing comes back by itself. A Windows Service is retried for ever, and never gives up. */
const troubledMs = 300_000;

const dayMs = 86_400_000;
/** Reported when this many days of grace are left, or fewer. */
const graceSteps = [1, 3, 7, 14, 30];
/** A license that could not be confirmed in its last day nearly always is, by itself. */
const soonMs = dayMs;

const gib = 2 ** 30;
/** Postgres stops when there is no room for its log; an update and the backup before it need some, too. */
const diskSteps = [0.5 * gib, 2 * gib];
/** Reported again only after there was clearly more room in between. */
const enoughRoom = 3 * gib;

/** What to tell people, given what they were told before. */
export const decideNotices = (facts: NoticeFacts, told: ToldSteps): NoticeVerdict => {
  const after: { -readonly [Topic in NoticeTopic]?: ToldSteps[Topic] } = { ...told };
  const news: { topic: NoticeTopic; notice: Notice }[] = [];
  const settle = (topic: NoticeTopic, standing: Standing) => {
    if (standing === null) delete after[topic];
    else if (told[topic] !== standing.step) {
      after[topic] = standing.step;
      news.push({ topic, notice: standing.notice });
    }
  };

  let hasCause = false;
  for (const { name, state, reason, since } of facts.status.components) {
    const isTroubled = state === 'unhealthy' && Math.abs(facts.nowMs - Date.parse(since)) >= troubledMs;
    if (state === 'failed')
      settle(name, { step: 'failed', notice: { kind: 'component-failed', component: name, reason } });
    // Without the database the API is in trouble, too: the components come in the order in which they need each other.
    else if (isTroubled && !hasCause)
      settle(name, { step: 'troubled', notice: { kind: 'component-troubled', component: name, reason } });
    // Between a failure and the next start that works, there is nothing new to say.
    else if (state === 'running' || state === 'stopped') settle(name, null);
    hasCause ||= isTroubled || state === 'failed';
  }
  const { components } = facts.status;
  const states = components.map(({ state }) => state);
  if (components.some(({ name }) => after[name] !== undefined)) after.stack = 'down';
  else if (told.stack !== undefined && states.every((state) => state === 'running')) {
    delete after.stack;
    news.push({ topic: 'stack', notice: { kind: 'stack-back' } });
  }

  const license = licenseStanding(facts.license, facts.nowMs);
  if (license === null && told.license === refused && facts.license.state === 'valid')
    news.push({ topic: 'license', notice: { kind: 'license-back' } });
  settle('license', license);
  if (facts.freeBytes !== null) settle('disk', diskStanding(facts.freeBytes, told.disk));
  settle('update', updateStanding(facts.updateReady));
  return { news, told: after };
};

const refused = 'refused';

const licenseStanding = (
  { state, detail, expiresAt, graceEndsAt }: LicenseStatus,
  nowMs: number,
): Standing => {
  if (state === 'unlicensed' || state === 'rejected')
    return { step: refused, notice: { kind: 'license-refused', detail } };
  if (state !== 'grace' || graceEndsAt === null) return null;
  const leftMs = Date.parse(graceEndsAt) - nowMs;
  const isExpired = expiresAt !== null && Date.parse(expiresAt) <= nowMs;
  if (!isExpired && leftMs > soonMs) return null;
  const daysLeft = Math.max(1, Math.ceil(leftMs / dayMs));
  const step = graceSteps.find((days) => daysLeft <= days) ?? 'long';
  return { step: `grace ${graceEndsAt} ${step}`, notice: { kind: 'license-grace', daysLeft } };
};

/** A disk that has gained some room is no news until it has enough. */
const diskStanding = (freeBytes: number, told: string | undefined): Standing => {
  const known = told === undefined ? Number.POSITIVE_INFINITY : Number(told);
  if (freeBytes >= enoughRoom) return null;
  const reached = diskSteps.find((bytes) => freeBytes <= bytes) ?? Number.POSITIVE_INFINITY;
  const step = Math.min(known, reached);
  return Number.isFinite(step) ? { step: String(step), notice: { kind: 'disk-low', freeBytes } } : null;
};

const updateStanding = (version: string | null): Standing =>
  version === null ? null : { step: version, notice: { kind: 'update-ready', version } };

/** The page that shows the matter of a notice and where it can be fixed. */
export const placeOf = (notice: Notice): string => {
  switch (notice.kind) {
    case 'component-failed':
    case 'component-troubled':
      return '/computer/diagnostics';
    case 'stack-back':
      return '/';
    case 'license-grace':
    case 'license-refused':
    case 'license-back':
      return '/license';
    case 'disk-low':
      return '/computer/data';
    case 'update-ready':
      return '/computer/updates';
    case 'game-crashed':
    case 'game-stays-down':
      return `/servers/${encodeURIComponent(notice.serverId)}`;
    case 'games-crashed':
      return '/servers';
  }
};

/**
 * Whether a user who looks at the window already sees it there.
 * @param place the page of the window, such as `/computer/data?a=b`
 * @param isBeforePanel the API has never answered yet, so the only page is the one about its start
 */
export const isSeenAt = (notice: Notice, place: string, isBeforePanel: boolean): boolean => {
  switch (notice.kind) {
    // These cover every page.
    case 'license-refused':
    case 'license-back':
      return true;
    // The data folder can be moved there, but no page shows how full its disk is.
    case 'disk-low':
      return false;
    case 'component-failed':
    case 'component-troubled':
      return isBeforePanel || isPage(place, notice);
    default:
      return isPage(place, notice);
  }
};

const isPage = (place: string, notice: Notice): boolean => place.split('?')[0] === placeOf(notice);

/** What is kept beyond the desktop's end: steps of grace and updates, not troubles, which are reported again while they last. */
export const keptSteps = ({ license, update }: ToldSteps): ToldSteps => ({
  ...(license?.startsWith('grace') && { license }),
  ...(update !== undefined && { update }),
});

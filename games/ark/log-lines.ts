import type { LineSeverity } from '#contracts/servers/console.ts';
import type { IsOnline, LogObservation } from '../game.ts';
import { plainLogLine } from '../log-line.ts';
import { parsePlatformId } from './ids.ts';

/** `[2020.05.06-11.04.56:123][456]` from the log file, then `2020.05.06_11.04.56: ` from the game. */
const stamp =
  /^(?<file>\[\d{4}(?:\.\d\d){2}-[\d.:]{8,14}\]\[ *\d+\])?(?<game>\d{4}(?:\.\d\d){2}_\d\d(?:\.\d\d){2}: )?(?<said>.*)$/;
/** Longer names were made to be expensive. */
const longestName = 64;
/** Never after `): `, which means chat by a player whose name the pattern above did not match. */
const comingAndGoing = /^(?!.*\): )(?<name>.+) (?<what>joined|left) this ARK!$/;
/** Ascended; the last id counts, since a name may contain one too. */
const withId = /^(?<name>.*) \[UniqueNetId:(?<id>[0-9A-Za-z]{1,64}) Platform:\w*\]$/;
/** Ascended in the language of the server: `… ist diesem ARK beigetreten!`. Nothing else follows an id. */
const translated =
  /^(?!.*\): )(?<name>.* \[UniqueNetId:[0-9A-Za-z]{1,64} Platform:\w*\])\s*(?<sentence>.{1,80}[!！])$/;
/** Words for leaving in the languages of the game; every other sentence means joining. */
const going =
  /left|verlass|verlat|quitt|abandon|salido|sali[óo]|lasciat|deixou|saiu|opu[śs]ci|wysze|покинул|покинув|вышел|ayrıl|terk|退出|离开|離開|離脱|去り|離れ|떠나|떠났|나갔|나가|lämna|forlod|forlot|poistu|opustil|elhagy|ออกจาก|rời/i;
/** Messages and names of administrators and tribes may end like a join or a leave. */
const others = /^(?:SERVER|AdminCmd): |^Tribe .+, ID \d+: Day \d/;

/** Reads `ShooterGame.log` and replies to `GetGameLog`. `showsIds`: the game writes the player's id after the name, as Ascended does. */
export const readLogLine = (
  line: string,
  showsIds: boolean,
  isOnline: IsOnline = () => false,
): LogObservation | null => {
  const { file, game, said } = stamp.exec(plainLogLine(line) ?? '')?.groups ?? {};
  if (said === undefined || (file === undefined && game === undefined) || others.test(said)) return null;
  const readings = readChat(said);
  if (readings.length > 0) return game === undefined ? null : oneOf(readings, isOnline);
  const { name, what } = comingAndGoing.exec(said)?.groups ?? {};
  if (name === undefined) return showsIds ? readTranslated(said) : null;
  return { kind: what === 'joined' ? 'join' : 'leave', player: whoIs(name, showsIds) };
};

/** Chat before whose text an account is named that is online, and that is not read: in another form, or of several accounts. */
export const isUnreadChat = (line: string, online: readonly string[]): boolean => {
  const { game, said = '' } = stamp.exec(plainLogLine(line) ?? '')?.groups ?? {};
  const end = said.indexOf(': ');
  if (game === undefined || end < 1 || end > 3 * longestName || others.test(said)) return false;
  if (readLogLine(line, true, (name) => online.includes(name)) !== null) return false;
  const head = said.slice(0, end);
  return online.some((name) => name !== '' && head.includes(name));
};

interface Spoken {
  readonly name: string;
  readonly text: string;
}

/**
 * `account (survivor): text` in every way that it can be read: names may contain brackets and colons themselves
 * (github.com/spikeydragoon/Cross-Ark-Chat/issues/68). Of several survivors' names of one account the shortest.
 */
const readChat = (said: string): Spoken[] => {
  const readings = new Map<string, Spoken>();
  for (let end = said.indexOf('): '); end !== -1; end = said.indexOf('): ', end + 1)) {
    const text = said.slice(end + 3);
    if (text === '') continue;
    for (let start = said.indexOf(' ('); start !== -1 && start < end; start = said.indexOf(' (', start + 1)) {
      const name = said.slice(0, start);
      const survivor = end - start - 2;
      const isShort = start >= 1 && start <= longestName && survivor >= 1 && survivor <= longestName;
      if (isShort && !readings.has(name)) readings.set(name, { name, text });
    }
    if (end > 3 * longestName) break;
  }
  return [...readings.values()];
};

/** The only reading, or the only one whose account is online. */
const oneOf = (readings: readonly Spoken[], isOnline: IsOnline): LogObservation | null => {
  const [only, another] = readings;
  const online = readings.filter(({ name }) => isOnline(name));
  const meant = another === undefined ? only : online.length === 1 ? online[0] : undefined;
  if (meant === undefined || (another === undefined && meant.name.includes(':') && !isOnline(meant.name)))
    return null;
  return { kind: 'chat', player: { name: meant.name, platformId: null }, text: meant.text };
};

/**
 * The engine's own lines in its log: `[2020.05.06-11.04.56:123][456]LogNet: Warning: …`. Chat by players has the game's time
 * stamp first.
 */
const level = /^\[\d{4}(?:\.\d\d){2}-[\d.:]{8,14}\]\[ *\d+\]Log\w{1,60}: (?<level>Warning|Error|Fatal): /;

export const severityOf = (line: string): LineSeverity | null => {
  const found = level.exec(plainLogLine(line) ?? '')?.groups?.level;
  if (found === undefined) return null;
  return found === 'Warning' ? 'warn' : 'error';
};

const ownTime =
  /^(?:\[\d{4}(?:\.\d\d){2}-[\d.:]{8,14}\]\[ *\d{1,10}\])?(?:\d{4}(?:\.\d\d){2}_\d\d(?:\.\d\d){2}: )?/;

export const stampLength = (line: string): number => ownTime.exec(line)?.[0].length ?? 0;

const readTranslated = (said: string): LogObservation | null => {
  const { name, sentence } = translated.exec(said)?.groups ?? {};
  if (name === undefined || sentence === undefined) return null;
  return { kind: going.test(sentence) ? 'leave' : 'join', player: whoIs(name, true) };
};

const whoIs = (shown: string, showsIds: boolean) => {
  const { name, id } = (showsIds ? withId.exec(shown)?.groups : undefined) ?? {};
  if (name === undefined || id === undefined) return { name: shown, platformId: null };
  return { name, platformId: parsePlatformId(id) };
};

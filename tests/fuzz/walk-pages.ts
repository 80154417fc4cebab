import { eventually } from '#harness/eventually.ts';
import { newAddress } from '#harness/portal.ts';
import { pickFrom } from '../bench/harness/seeded-random.ts';
import { type Form, formsIn, linksIn } from './forms.ts';
import type { HostileRequest } from './hostile-requests.ts';
import { hostileInsteadOf, hostileText, type Random } from './hostile-values.ts';
import type { PageRoute } from './page-routes.ts';
import type { FuzzAnswer, Sent } from './run-fuzz.ts';

export interface WalkOptions {
  /** Such as `/account`. */
  readonly root: string;
  readonly routes: readonly PageRoute[];
  /** Cookies of a person who has just signed in; none: a visitor. */
  readonly signIn?: () => Promise<Readonly<Record<string, string>>>;
  /** What is right in fields of these names. */
  readonly values: Readonly<Record<string, () => string>>;
  readonly send: (asked: HostileRequest) => Promise<FuzzAnswer>;
}

/** Of pages of one kind, such as those of each license. */
const mostAddresses = 400;

/** On a busy machine the portal ends what takes a connection for long. */
const patienceMs = 120_000;

/** Percent-encoded, and in a few cases as no one encodes. */
const encoded = (text: string, random: Random): string =>
  random() < 0.05
    ? pickFrom(['%', '%zz', '%ff', '%00', '%ed%a0%80', '+', '%2e%2e'], random)
    : encodeURIComponent(text.toWellFormed()).slice(0, 4000);

type Pair = readonly [name: string, value: string];

/** @param chance that a value is replaced */
const pairsOf = (pairs: readonly Pair[], chance: number, random: Random): string => {
  const all = pairs.flatMap(([name, value]) => {
    const isSpoilt = name !== 'csrf' && random() < chance;
    const sent = isSpoilt
      ? encoded(String(hostileInsteadOf(value, random)), random)
      : encodeURIComponent(value);
    const pair = `${encodeURIComponent(name)}=${sent}`;
    return chance > 0 && random() < 0.03 ? [pair, pair] : [pair];
  });
  if (random() < chance / 3)
    all.push(`${encoded(hostileText(random), random)}=${encoded(hostileText(random), random)}`);
  return all.join('&').slice(0, 15_000);
};

/** An address with one of its parts replaced. */
const strayed = (address: string, random: Random): string => {
  const parts = address.split('/');
  const at = 2 + Math.floor(random() * (parts.length - 1));
  parts[at] = encoded(String(hostileInsteadOf(parts[at] ?? '', random)), random);
  return parts.join('/');
};

const parameters = [
  ...['q', 'status', 'page', 'before', 'after', 'days', 'from', 'to', 'zone', 'sort', 'seen', 'notice'],
  ...['email', 'kind', 'hwid', 'mail', 'replaces', 'license'],
];

/** Walks through pages by their links and forms, and sends hostile values by both. */
export const walkPages = ({ root, routes, signIn, values, send }: WalkOptions) => {
  const own = routes.filter(({ pattern }) => pattern.startsWith(root));
  const cookies = new Map<string, string>();
  const addresses = [root];
  /** The newest form of each address has the token of the current session. */
  const forms = new Map<string, Form>();

  const operationOf = ({ method, path }: HostileRequest): string => {
    const [plain = ''] = path.split('?');
    const route = own.find((each) => each.method === method && each.matches(plain));
    return route ? `${method} ${route.pattern}` : `${method} elsewhere in ${root}`;
  };
  const enter = async () => {
    forms.clear();
    cookies.clear();
    const entered = signIn && (await eventually(signIn, patienceMs));
    for (const [name, value] of Object.entries(entered ?? {})) cookies.set(name, value);
  };
  const headers = () => ({
    Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
    'Sec-Fetch-Site': 'same-origin',
    'X-Forwarded-For': newAddress(),
  });

  const submission = ({ action, fields }: Form, random: Random): HostileRequest => {
    const pairs = fields.flatMap(({ name, choices }): Pair[] => {
      const value = values[name]?.() ?? pickFrom(choices, random);
      return value === null ? [] : [[name, value]];
    });
    const isSpoilt = random() < 0.6;
    const type = isSpoilt && random() < 0.05 ? 'application/json' : 'application/x-www-form-urlencoded';
    return {
      method: 'POST',
      path: isSpoilt && random() < 0.2 ? strayed(action, random) : action,
      headers: { ...headers(), 'Content-Type': type },
      body: pairsOf(pairs, isSpoilt ? 0.3 : 0, random),
    };
  };

  /** Any page or form, also one that no link has led to. */
  const anyOf = (random: Random): HostileRequest => {
    const { method, pattern, matches } = pickFrom(own, random);
    const known = addresses.map((address) => address.split('?')[0] ?? '').filter(matches);
    const path = known.length > 0 ? pickFrom(known, random) : pattern.replace(/:\w+/g, '1');
    if (method === 'GET') return { method, path, headers: headers() };
    const form = [...forms.values()].find(({ action }) => matches(action.split('?')[0] ?? ''));
    return submission(form ?? { action: path, fields: [] }, random);
  };

  const requestOf = (random: Random): HostileRequest => {
    const kind = random();
    // A new session costs far more than a request.
    const all = [...forms.values()].filter(({ action }) => !action.includes('sign-out') || random() < 0.02);
    if (kind < 0.45 && all.length > 0) return submission(pickFrom(all, random), random);
    if (kind < 0.6) return anyOf(random);
    const address = pickFrom(addresses, random);
    const [plain = ''] = address.split('?');
    if (kind < 0.75) return { method: 'GET', path: address, headers: headers() };
    if (kind < 0.85) return { method: 'GET', path: strayed(plain, random), headers: headers() };
    const pairs: Pair[] = ['1', '2026-01-01'].map((value) => [pickFrom(parameters, random), value]);
    return { method: 'GET', path: `${plain}?${pairsOf(pairs, 0.5, random)}`, headers: headers() };
  };

  const learn = (path: string, html: string) => {
    for (const link of linksIn(html, root))
      if (!addresses.includes(link)) {
        addresses.push(link);
        if (addresses.length > mostAddresses) addresses.splice(20 + (html.length % 50), 1);
      }
    for (const form of formsIn(html, path)) forms.set(form.action.split('?')[0] ?? '', form);
  };
  const keepCookies = (lines: readonly string[] = []) => {
    for (const line of lines) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
  };

  return {
    enter,
    async step(random: Random): Promise<Sent> {
      const asked = requestOf(random);
      const answer = await send(asked);
      keepCookies(answer.headers['set-cookie']);
      if (answer.text.startsWith('<')) learn(asked.path, answer.text);
      const isOut = String(answer.headers.location).startsWith(`${root}/sign-in`);
      if (signIn && isOut && asked.headers.Cookie === headers().Cookie) await enter();
      return [operationOf(asked), asked, answer];
    },
  };
};

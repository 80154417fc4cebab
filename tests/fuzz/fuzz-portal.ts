import type { TestPortal } from '#harness/portal.ts';
import { newAddress } from '#harness/portal.ts';
import { enrolAccount } from '../../portal/vendor/testing/enrolled-account.ts';
import { pickFrom } from '../bench/harness/seeded-random.ts';
import { createMemory, type HostileRequest, interfaceOf, requestTo } from './hostile-requests.ts';
import { hostileInsteadOf, hostileText, type Random } from './hostile-values.ts';
import { createSender, type FuzzResult, runFuzz } from './run-fuzz.ts';

const root = '/admin';
/** Of pages of one kind, such as those of each license. */
const mostAddresses = 400;

interface Form {
  readonly action: string;
  readonly fields: readonly (readonly [name: string, value: string])[];
}

const unescaped = (html: string): string =>
  html.replaceAll('&quot;', '"').replaceAll('&#x27;', "'").replaceAll('&lt;', '<').replaceAll('&amp;', '&');
const attribute = (tag: string, name: string): string | null => {
  const [, value] = new RegExp(` ${name}="([^"]*)"`).exec(tag) ?? [];
  return value === undefined ? null : unescaped(value);
};

const formsIn = (html: string, address: string): Form[] =>
  [...html.matchAll(/<form\b([^>]*)>(.*?)<\/form>/gs)].map(([, head = '', inside = '']) => ({
    action: attribute(head, 'action') ?? address,
    fields: [...inside.matchAll(/<(?:input|select|textarea|button)\b([^>]*)>/g)].flatMap(([, tag = '']) => {
      const name = attribute(tag, 'name');
      return name === null ? [] : [[name, attribute(tag, 'value') ?? 'text'] as const];
    }),
  }));

const linksIn = (html: string): string[] =>
  [...html.matchAll(/ href="([^"]*)"/g)].flatMap(([, link = '']) =>
    link.startsWith(root) ? [unescaped(link)] : [],
  );

/** Percent-encoded, and in a few cases as no one encodes. */
const encoded = (text: string, random: Random): string =>
  random() < 0.05
    ? pickFrom(['%', '%zz', '%ff', '%00', '%ed%a0%80', '+', '%2e%2e'], random)
    : encodeURIComponent(text.toWellFormed()).slice(0, 4000);

const query = (fields: Form['fields'], random: Random): string => {
  const pairs = fields.flatMap(([name, value]) => {
    const isSpoilt = name !== 'csrf' && random() < 0.3;
    const sent = isSpoilt ? String(hostileInsteadOf(value, random)) : value;
    const pair = `${encodeURIComponent(name)}=${isSpoilt ? encoded(sent, random) : encodeURIComponent(sent)}`;
    return random() < 0.03 ? [pair, pair] : [pair];
  });
  if (random() < 0.1)
    pairs.push(`${encoded(hostileText(random), random)}=${encoded(hostileText(random), random)}`);
  return pairs.join('&').slice(0, 15_000);
};

/** An address with one of its parts replaced. */
const strayed = (address: string, random: Random): string => {
  const parts = address.split('/');
  const at = 2 + Math.floor(random() * (parts.length - 1));
  parts[at] = encoded(String(hostileInsteadOf(parts[at] ?? '', random)), random);
  return parts.join('/');
};

const common = [
  'q',
  'status',
  'page',
  'before',
  'after',
  'days',
  'from',
  'to',
  'zone',
  'sort',
  'seen',
  'notice',
];

/** Walks through the vendor's pages as a vendor, and sends hostile values by their links and forms, and to the portal's API. */
export const fuzzPortal = async (
  portal: TestPortal,
  { seed, count }: { readonly seed: number; readonly count: number },
): Promise<FuzzResult> => {
  const url = new URL(portal.url);
  using sender = createSender(Number(url.port));
  const document = await (await fetch(`${portal.url}/api/openapi.json`)).json();
  const { operations, definitions } = interfaceOf(document);
  const memory = createMemory();
  const addresses = [root];
  const forms = new Map<string, Form>();
  let accounts = 0;
  const newVendor = async () => {
    accounts += 1;
    return (await enrolAccount(portal, `Fuzz ${seed} ${accounts}`)).token;
  };
  let token = await newVendor();

  const toPage = (random: Random): HostileRequest => {
    const headers = { Cookie: `castellan_vendor=${token}`, 'Sec-Fetch-Site': 'same-origin' };
    // A new session costs far more than a request.
    const all = [...forms.values()].filter(({ action }) => !action.includes('sign-out') || random() < 0.02);
    if (all.length > 0 && random() < 0.4) {
      const { action, fields } = pickFrom(all, random);
      const path = random() < 0.15 ? strayed(action, random) : action;
      const type = random() < 0.03 ? 'application/json' : 'application/x-www-form-urlencoded';
      return {
        method: 'POST',
        path,
        headers: { ...headers, 'Content-Type': type },
        body: query(fields, random),
      };
    }
    const address = pickFrom(addresses, random);
    const [plain = ''] = address.split('?');
    const kind = random();
    if (kind < 0.3) return { method: 'GET', path: address, headers };
    if (kind < 0.6) return { method: 'GET', path: strayed(plain, random), headers };
    const asked = query(
      [
        [pickFrom(common, random), '1'],
        [pickFrom(common, random), '2026-01-01'],
      ],
      random,
    );
    return { method: 'GET', path: `${plain}?${asked}`, headers };
  };

  const learn = (path: string, html: string) => {
    for (const link of linksIn(html))
      if (!addresses.includes(link)) {
        addresses.push(link);
        if (addresses.length > mostAddresses) addresses.splice(20 + (accounts % 50), 1);
      }
    // The newest form of each address has the token of the current session.
    for (const form of formsIn(html, path)) forms.set(form.action.split('?')[0] ?? '', form);
  };

  return runFuzz({
    seed,
    count,
    async next(random) {
      if (random() < 0.3) {
        const made = requestTo(pickFrom(operations, random), { definitions, known: memory, random });
        const asked = { ...made, headers: { ...made.headers, 'X-Forwarded-For': newAddress() } };
        return [asked, await sender.send(asked)];
      }
      const asked = toPage(random);
      const answer = await sender.send(asked);
      if (answer.status === 200 && answer.text.startsWith('<')) learn(asked.path, answer.text);
      if (String(answer.headers.location).startsWith(`${root}/sign-in`)) {
        token = await newVendor();
        forms.clear();
      }
      return [asked, answer];
    },
  });
};

import lighthouse from 'lighthouse';
import { chromium } from 'playwright-core';
import { sessionsHttp } from '#contracts/identity/sessions.ts';
import type { Panel } from '#harness/panel.ts';
import { median } from '../harness/statistics.ts';

const categories = ['accessibility', 'best-practices', 'performance'] as const;
/** Categories in which every missing point has a cause that can be fixed. */
const findings: readonly Category[] = ['accessibility', 'best-practices'];
type Category = (typeof categories)[number];
const percent = 100;

export type Scores = Readonly<Record<string, number>>;

/** The scores of a single run are luck: https://developer.chrome.com/docs/lighthouse/performance/performance-scoring */
const runs = 5;

/** One page's scores, out of 100, and the times behind the last one; also reports what costs points. */
const judgeOnce = async (
  name: string,
  url: string,
  port: number,
  say: (line: string) => void,
): Promise<Scores> => {
  const run = await lighthouse(url, {
    port,
    onlyCategories: [...categories],
    // Keeps the sign-in.
    disableStorageReset: true,
    logLevel: 'error',
  });
  if (!run) throw new Error('Lighthouse has no result');
  const { lhr } = run;
  if (lhr.runtimeError) throw new Error(`Lighthouse cannot judge ${url}: ${lhr.runtimeError.message}`);
  for (const { id, title, score, details } of Object.values(lhr.audits)) {
    const counts = findings.some((category) =>
      lhr.categories[category]?.auditRefs.some((ref) => ref.id === id && ref.weight > 0),
    );
    if (!counts || score === null || score === 1) continue;
    say(`  ${name}: ${title}`);
    for (const item of details?.type === 'table' ? details.items : []) say(`    ${JSON.stringify(item)}`);
  }
  const mark = (category: Category) => (lhr.categories[category]?.score ?? Number.NaN) * percent;
  const time = (audit: string) => lhr.audits[audit]?.numericValue ?? Number.NaN;
  return {
    accessibility: mark('accessibility'),
    'best practices': mark('best-practices'),
    performance: mark('performance'),
    'first paint ms': time('first-contentful-paint'),
    'largest paint ms': time('largest-contentful-paint'),
    'blocked ms': time('total-blocking-time'),
    'layout shift': time('cumulative-layout-shift'),
  };
};

/** The medians of several runs; the findings come from the first. */
const judge = async (
  name: string,
  url: string,
  port: number,
  say: (line: string) => void,
): Promise<Scores> => {
  const judged: Scores[] = [];
  for (let run = 0; run < runs; run += 1)
    judged.push(await judgeOnce(name, url, port, run === 0 ? say : () => undefined));
  const [first = {}] = judged;
  const middle = (figure: string) => median(judged.map((scores) => scores[figure] ?? Number.NaN));
  return Object.fromEntries(Object.keys(first).map((figure) => [figure, middle(figure)]));
};

export interface Judged {
  readonly name: string;
  readonly path: string;
  readonly isSignedIn: boolean;
}

/**
 * Runs Lighthouse over several pages of one browser, as a phone on a slow connection, which is its default.
 * @param port the browser's debugging port
 */
export const judgePages = async (
  panel: Panel,
  port: number,
  pages: readonly Judged[],
  say: (line: string) => void,
): Promise<Readonly<Record<string, Scores>>> => {
  const { apiUrl, admin } = panel.info;
  // Lighthouse works in the browser's own profile, which only a connection of this kind reaches.
  const attached = await chromium.connectOverCDP(`http://127.0.0.1:${port}`);
  try {
    const [profile] = attached.contexts();
    if (!profile) throw new Error('the browser has no profile of its own');
    const judged: Record<string, Scores> = {};
    for (const { name, path, isSignedIn } of pages) {
      say(`Lighthouse: ${name}`);
      const page = await profile.newPage();
      await page.goto(`${apiUrl}/empty.html`);
      await profile.clearCookies();
      await page.evaluate('localStorage.clear()');
      if (isSignedIn) {
        const answer = await profile.request.post(apiUrl + sessionsHttp.signIn.path, {
          data: admin,
          headers: { Origin: apiUrl },
        });
        if (!answer.ok()) throw new Error(await answer.text());
        await page.evaluate("localStorage.setItem('castellan.signed-in', 'yes')");
      }
      judged[name] = await judge(name, apiUrl + path, port, say);
      await page.close();
    }
    return judged;
  } finally {
    await attached.close();
  }
};

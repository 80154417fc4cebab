import { execFile } from 'node:child_process';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { sessionsHttp } from '#contracts/identity/sessions.ts';
import { healthHttp, stackHealth } from '#contracts/operations/health.ts';
import { type StackStatus, stackControl } from '#contracts/operations/stack.ts';
import type { Panel } from '#harness/panel.ts';
import { createLog } from '#runtime/log.ts';
import { systemEnv } from '#runtime/system-env.ts';
import { callSupervisor } from '../../../electron/control/control-client.ts';
import { createApiProxy } from '../../../electron/desktop/api-proxy.ts';
import { wordsFor } from '../../../electron/desktop/desktop-words.ts';
import { trayView } from '../../../electron/desktop/tray-view.ts';
import { watchWaiting } from '../../../electron/desktop/waiting-watch.ts';

export const observerNames = ['overview', 'badge', 'tray', 'health', 'status', 'discord'] as const;
export type Observer = (typeof observerNames)[number];

/** What each says that is not well, a line each; none: all is well. Discord: what it was told since the last `forget`. */
export type Sample = Readonly<Record<Observer, readonly string[]>>;

export interface Observers extends AsyncDisposable {
  sample(): Promise<Sample>;
  /** Counts only what Discord is told from now on. */
  forget(): Promise<void>;
}

/** As a document, since the panel's content security policy allows no function to be evaluated by name. */
const readOverview = `(() => {
  const texts = (within, what) => [...document.querySelectorAll(within + ' ' + what)].map((one) => one.textContent.trim());
  const needs = [...document.querySelectorAll('section')].find((one) => one.querySelector('h2')?.textContent === 'Needs you');
  return {
    verdict: texts('section[aria-label="Verdict"] li', 'strong'),
    needs: needs ? [...needs.querySelectorAll('li a')].map((one) => one.textContent.trim()) : ['no list'],
    servers: [...document.querySelectorAll('tr')].filter((row) => row.querySelector('bdi')).map((row) =>
      [...row.children].slice(0, 2).map((cell) => (cell.querySelector('bdi') ?? cell).textContent.trim()).join(': ')),
    badges: [...document.querySelectorAll('nav a')].map((one) => one.textContent.trim()).filter((text) => text.includes('(')),
  };
})()`;

/** Without Discord's times, and what keeps names apart from the text around them. */
const plainly = (text: string): string => text.replace(/<t:[^>]*>|[\u2066-\u2069\\]/g, '').trim();

const apiPatienceMs = 5000;
const everyMs = 1000;

/**
 * The six places that say how the stack is: an open overview with its navigation, the desktop's tray, `/api/health`,
 * `castellan status` and a channel in Discord.
 * @param programs the folder of the programs
 */
export const openObservers = async (
  panel: Panel,
  programs: string,
  channelId: string,
): Promise<Observers> => {
  const { info } = panel;
  await using opening = new AsyncDisposableStack();
  const page = await panel.page();
  opening.defer(() => page.close());
  const tray = opening.use(await openTray(info));
  let forgotten = 0;
  const posted = async () => {
    const response = await fetch(
      `${info.discord?.url}/look?${new URLSearchParams({ channel: channelId, member: '' })}`,
    );
    const { messages } = (await response.json()) as {
      messages: { embeds: { description?: string }[] }[];
    };
    return messages.flatMap(({ embeds }) =>
      embeds.flatMap(({ description = '' }) => description.split('\n').map(plainly)),
    );
  };
  const resources = opening.move();
  return {
    async sample() {
      const [shown, health, status, discord] = await Promise.all([
        overviewOf(page),
        healthOf(info.apiUrl),
        statusOf(info.home, programs),
        posted(),
      ]);
      return { ...shown, tray: tray.says(), health, status, discord: discord.slice(forgotten) };
    },
    async forget() {
      forgotten = (await posted()).length;
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
};

const overviewOf = async (page: Page): Promise<Pick<Sample, 'overview' | 'badge'>> => {
  const { verdict, needs, servers, badges } = (await page.evaluate(readOverview)) as Record<
    'verdict' | 'needs' | 'servers' | 'badges',
    string[]
  >;
  const unwell = [
    ...verdict.filter((line) => line !== 'Everything works'),
    ...needs,
    ...servers.filter((line) => !line.endsWith(': Online')),
  ];
  return { overview: verdict.length === 0 ? ['no verdict', ...unwell] : unwell, badge: badges };
};

const healthOf = async (apiUrl: string): Promise<readonly string[]> => {
  try {
    const response = await fetch(apiUrl + healthHttp.stack.path, {
      signal: AbortSignal.timeout(apiPatienceMs),
    });
    const { status, components } = stackHealth.parse(await response.json());
    const lines = Object.entries(components).flatMap(([name, component]) =>
      component.status === 'ok' ? [] : [`${name} ${component.status}: ${component.detail}`],
    );
    return status === 'ok' ? lines : [`${status}`, ...lines];
  } catch (error) {
    return [`no answer: ${(error as Error).message}`];
  }
};

/** The command as a person runs it. */
const statusOf = (home: string, programs: string): Promise<readonly string[]> =>
  new Promise((resolve) => {
    const args = [join(programs, 'castellan.mjs'), 'status'];
    const env = { ...systemEnv(), CASTELLAN_HOME: home };
    execFile(process.execPath, args, { env }, (error, stdout, stderr) => {
      const lines = `${stdout}${stderr}`.trim().split('\n');
      const isWell = error === null && stderr === '' && lines[0] === 'Castellan is running';
      resolve(isWell ? [] : lines);
    });
  });

interface Tray extends AsyncDisposable {
  says(): readonly string[];
}

/** The desktop's tray as it is derived in the desktop, from the supervisor's state and from what waits. */
const openTray = async ({ apiUrl, home, admin }: Panel['info']): Promise<Tray> => {
  const signedIn = await fetch(apiUrl + sessionsHttp.signIn.path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ ...admin, transport: 'bearer' }),
  });
  const { token } = (await signedIn.json()) as { token: string };
  const look = async () => {
    const found = await callSupervisor(home, stackControl.status);
    if (found === null) throw new Error('no stack runs');
    return found;
  };
  let status: StackStatus = await look();
  let waiting: number | null = null;
  let isUnderWay = false;
  const timer = setInterval(() => {
    if (isUnderWay) return;
    isUnderWay = true;
    // A frozen supervisor is the tray's own process in the desktop: it keeps showing what it showed.
    look()
      .then((found) => {
        status = found;
      })
      .catch(() => undefined)
      .finally(() => {
        isUnderWay = false;
      });
  }, everyMs);
  const api = createApiProxy(
    {
      status: () => status,
      fetchApi: (path, { headers, isConfirmed: _, ...init }) =>
        fetch(apiUrl + path, { ...init, headers: { Authorization: `Bearer ${token}` } }),
    },
    () => false,
  );
  const watch = watchWaiting({
    api,
    tell: (count) => {
      waiting = count;
    },
    log: createLog({ component: 'tray', level: 'silent' }),
  });
  return {
    says() {
      const { look: shown, tooltip } = trayView(
        { status, license: 'valid', waiting, isAutostarted: false, isLeaving: false, isServices: false },
        wordsFor('en-US'),
      );
      return shown === 'well' ? [] : [`${shown}: ${tooltip}`];
    },
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      watch[Symbol.dispose]();
    },
  };
};

import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { endAllAtSignal, endWithNpm } from '../../build/script-process.ts';
import { type Bench, formatReport } from './harness/report.ts';

/** A bench, and its lines of the usage. Loaded on demand, since it imports what it compares with. */
const benches: Readonly<Record<string, readonly [usage: string, load: () => Promise<Bench>]>> = {
  'agent-kills': [
    `  agent-kills [--kills 80] [--commands 2900] [--seed 1]
           Game Agents killed at random instants under commands: what runs twice, and what is called unknown`,
    async () => (await import('./agent-kills/agent-kills.ts')).agentKillsBench,
  ],
  agents: [
    `  agents [--sizes 1000,5000,10000] [--rounds 1]
           CPU, memory and stalls of the API under 1,000 to 10,000 connected Game Agents`,
    async () => (await import('./agents/agents.ts')).agentsBench,
  ],
  backups: [
    `  backups [--rows 100000] [--rounds 5] [--flips 100] [--seed 1]
           time and size of a backup; bytes that are changed in backups and in a live cluster, and whether each is found or harmless`,
    async () => (await import('./backups.ts')).backupsBench,
  ],
  bot: [
    `  bot [--starts 5] [--singles 50] [--seconds 60] [--events 10000]
           start and idle memory of the Discord bot beside a bare discord.js client, an event to its message, and many events at once`,
    async () => (await import('./bot/bot.ts')).botBench,
  ],
  day: [
    `  day      a day's checks of a million installations with an outage of the portal in it, and a plot of them`,
    async () => (await import('./day.ts')).dayBench,
  ],
  deliveries: [
    `  deliveries [--rows 1000,1000000] [--paced 2000] [--rushed 5000]
           orders at 100 a second to the game's acknowledgement through 50 agents, and as fast as they go, beside raw pg-boss`,
    async () => (await import('./deliveries/deliveries.ts')).deliveriesBench,
  ],
  demo: [
    `  demo [--runs 5] [--checkout FOLDER]
           time of the demo to its ready line, with nothing built and again, and the memory of its own process; deletes dist/`,
    async () => (await import('./demo.ts')).demoBench,
  ],
  desktop: [
    `  desktop [--starts 7]
           start of the desktop to its window, its panel and a healthy stack, and the memory of each process`,
    async () => (await import('./desktop.ts')).desktopBench,
  ],
  events: [
    `  events   pages of an event log of 5 million rows, and /api/health while a million of them expire`,
    async () => (await import('./events.ts')).eventsBench,
  ],
  figures: [
    `  figures [--orders 1000000]
           figures of the store over 7 to 365 days, beside every row added up in the program`,
    async () => (await import('./figures.ts')).figuresBench,
  ],
  'first-run': [
    `  first-run [--setup FILE]
           from nothing to a licensed, healthy stack with a server that is online; with the Windows installer in the lab, too`,
    async () => (await import('./first-run.ts')).firstRunBench,
  ],
  login: [
    `  login    10,000 password guesses: how many are looked at, and what the others notice of it`,
    async () => (await import('./login.ts')).loginBench,
  ],
  mods: [
    `  mods     200 MB downloaded and verified beside curl, and 1 GB over a line that drops every 20 MB`,
    async () => (await import('./mods.ts')).modsBench,
  ],
  mutants: [
    `  mutants [--count 40] [--seed 1] [--seconds 120] [--at FILE|FILE:LINE]… [--list]
           faults planted one at a time into a copy of the tree: which the unit tests see, and which survive
  mutants --tests FILE[,FILE…]|FILE::NAME… [--count 40] [--seed 1] [--seconds 900] [--at FILE|FILE:LINE]…
           faults that these tests of any project reach, and which of the tests catch each
  mutants --pairs FILE [--both] [--count 40] [--seed 1] [--seconds 900] [--at FILE|FILE:LINE]…
           faults that moved tests reach: whether those that stay catch them, too; fails if one does not`,
    async () => (await import('./mutants/mutants.ts')).mutantsBench,
  ],
  panel: [
    `  panel [--only load|lighthouse|console|lists|sorting]…
           first load with its fonts apart, Lighthouse (the median of five), a console of 1,000 lines a second, lists of 100,000 rows: frames and memory`,
    async () => (await import('./panel.ts')).panelBench,
  ],
  portal: [
    `  portal [--licenses 1000000] [--rounds 5]
           requests per second, latency and CPU of validate and activate, beside three baselines`,
    async () => (await import('./portal.ts')).portalBench,
  ],
  queues: [
    `  queues [--jobs 500000]
           /api/health/queues beside a count of the whole job table`,
    async () => (await import('./queues.ts')).queuesBench,
  ],
  rcon: [
    `  rcon     commands per second and latency over each game's console, beside a raw socket loop`,
    async () => (await import('./rcon.ts')).rconBench,
  ],
  rewards: [
    `  rewards [--members 10000] [--sessions 20]
           time online that is paid to everyone at once, beside one transaction for each interval`,
    async () => (await import('./rewards.ts')).rewardsBench,
  ],
  roles: [
    `  roles [--members 10000] [--sessions 20]
           a round over the roles of a large Discord server that is in step`,
    async () => (await import('./roles.ts')).rolesBench,
  ],
  shift: [
    `  shift [--seconds 5] [--only players,players/one]
           how much each page of the panel moves while it opens and while live data comes`,
    async () => (await import('./shift.ts')).shiftBench,
  ],
  start: [
    `  start    time from process start to healthy, first and later, and the memory of each process`,
    async () => (await import('./start.ts')).startBench,
  ],
  timing: [
    `  timing   whether the time of an answer tells a known license key or e-mail address from an unknown one`,
    async () => (await import('./portal-timing.ts')).timingBench,
  ],
};

const usage = `usage: npm run bench -- NAME [--json]

Measures one part against a baseline in the same run. With --json the last line on stdout holds the same figures.

${Object.values(benches)
  .map(([lines]) => lines)
  .join('\n')}
`;

endWithNpm();
using _ending = endAllAtSignal();
// This account exists on every machine, so a bench as root creates no account.
process.env.CASTELLAN_POSTGRES_ACCOUNT ??= 'nobody';
// A signal ends the processes of a bench before they delete their folders.
const folder = mkdtempSync(join(tmpdir(), 'castellan-bench-'));
chmodSync(folder, 0o711);
process.env.TMPDIR = folder;
process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

const args = process.argv.slice(2);
const name = args.find((arg) => !arg.startsWith('-'));
const [, load] = (name === undefined ? undefined : benches[name]) ?? [];

if (args.includes('--help')) {
  process.stdout.write(usage);
} else if (!load) {
  process.stderr.write(`${name === undefined ? 'Which bench?' : `There is no bench "${name}".`}\n\n${usage}`);
  process.exitCode = 2;
} else {
  const bench = await load();
  const [lastMinute = 0] = loadavg();
  const report = await bench.run(
    (line) => process.stderr.write(`${line}\n`),
    args.slice(args.indexOf(name ?? '') + 1),
  );
  process.stdout.write(`${formatReport(report)}\n`);
  process.stdout.write(
    `\nLoad average before it began: ${lastMinute.toFixed(2)}, on ${availableParallelism()} cores\n`,
  );
  if (args.includes('--json')) process.stdout.write(`${JSON.stringify({ bench: name, ...report })}\n`);
}

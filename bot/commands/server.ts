import { ApplicationCommandOptionType, ButtonStyle } from 'discord.js';
import { longestCountdown, type TaskResult } from '#contracts/servers/agent-tasks.ts';
import { type PowerAct, powerHttp } from '#contracts/servers/power.ts';
import { sleep } from '#runtime/sleep.ts';
import { ApiFault } from '../api-client.ts';
import { askAgain } from './ask-again.ts';
import { type Asked, type AskedAct, type BotCommand, button, type Reply, row, says } from './command.ts';
import { described, type Language, named, words } from './language.ts';
import { completeServers, findServer, serverOption, stateText } from './servers.ts';
import { nameText } from './text.ts';

const lookEveryMs = 3000;
/** Discord accepts edits of an answer for fifteen minutes. */
const longestWaitMs = 13 * 60_000;

const actions = ['start', 'stop', 'restart'] as const;
type Action = (typeof actions)[number];
const actionOf = (text: string | undefined): Action | null => actions.find((each) => each === text) ?? null;

const texts = words(
  {
    on: (players: number | null) =>
      players === null
        ? 'It is not known who is playing on it.'
        : players === 1
          ? '1 player is on it.'
          : `${players} players are on it.`,
    ask: { start: 'Start', stop: 'Stop', restart: 'Restart' },
    announced: (seconds: number) =>
      seconds === 0
        ? 'This is not announced in the game.'
        : `This is announced in the game for ${seconds} s.`,
    no: 'Cancel',
    left: 'Nothing was done.',
    under: {
      start: 'is being started',
      stop: 'is being stopped',
      restart: 'is being restarted',
      kill: 'is being killed',
    },
    waiting: 'Waiting for the Game Agent.',
    outcomes: {
      done: '✅ Done',
      failed: '❌ Failed',
      refused: '❌ Refused by the Game Agent',
      cancelled: 'Cancelled',
      expired: '❌ Not started: the Game Agent did not accept it in time',
      unknown: '❔ It is not known how it ended',
    },
    other: 'It has ended. The panel shows how.',
    tooLong: 'This takes longer than Discord lets me report. See `/server action:status`.',
    uncertain:
      'Castellan does not answer, so it is not known whether this was started. See `/server action:status`.',
  },
  {
    on: (players: number | null) =>
      players === null
        ? 'Não se sabe quem está jogando nele.'
        : players === 1
          ? '1 jogador está nele.'
          : `${players} jogadores estão nele.`,
    ask: { start: 'Ligar', stop: 'Desligar', restart: 'Reiniciar' },
    announced: (seconds: number) =>
      seconds === 0 ? 'Isto não é anunciado no jogo.' : `Isto é anunciado no jogo por ${seconds} s.`,
    no: 'Cancelar',
    left: 'Nada foi feito.',
    under: {
      start: 'está sendo ligado',
      stop: 'está sendo desligado',
      restart: 'está sendo reiniciado',
      kill: 'está sendo encerrado à força',
    },
    waiting: 'Esperando pelo agente de jogo.',
    outcomes: {
      done: '✅ Feito',
      failed: '❌ Falhou',
      refused: '❌ Recusado pelo agente de jogo',
      cancelled: 'Cancelado',
      expired: '❌ Não iniciado: o agente de jogo não aceitou a tempo',
      unknown: '❔ Não se sabe como terminou',
    },
    other: 'Terminou. O painel mostra como.',
    tooLong: 'Isto demora mais do que o Discord me deixa contar. Veja `/server action:status`.',
    uncertain:
      'O Castellan não responde, por isso não se sabe se isto foi iniciado. Veja `/server action:status`.',
  },
);

const choice = (en: string, pt: string, value: string) => ({
  name: en,
  name_localizations: { 'pt-BR': pt },
  value,
});

export const serverCommand: BotCommand = {
  definition: {
    ...named('server', 'servidor'),
    ...described('Start, stop or restart a game server', 'Ligue, desligue ou reinicie um servidor de jogo'),
    options: [
      {
        type: ApplicationCommandOptionType.String,
        ...named('action', 'ação'),
        ...described('What to do', 'O que é feito'),
        required: true,
        choices: [
          choice('Status', 'Situação', 'status'),
          choice('Start', 'Ligar', 'start'),
          choice('Stop', 'Desligar', 'stop'),
          choice('Restart', 'Reiniciar', 'restart'),
        ],
      },
      serverOption(true),
      {
        type: ApplicationCommandOptionType.Integer,
        ...named('countdown', 'contagem'),
        ...described(
          'For how many seconds a stop is announced in the game',
          'Por quantos segundos a parada é anunciada no jogo',
        ),
        min_value: 0,
        max_value: longestCountdown,
      },
    ],
  },
  isPrivate: true,
  async run(asked) {
    const { options, language } = asked;
    const found = await findServer(asked, options.getString('server', true));
    if ('why' in found) return says(found.why);
    const { id, name, status } = found.server;
    const action = actionOf(options.getString('action', true));
    if (!action) return showStatus(asked, id);
    if (action === 'start') return perform(asked, { serverId: id, action, seconds: null, key: asked.id });
    const { defaultCountdownSeconds } = await asked.botApi(powerHttp.read, { params: { serverId: id } });
    const seconds = options.getInteger('countdown') ?? defaultCountdownSeconds;
    const text = texts[language];
    return {
      ...says(`**${nameText(name)}**\n${text.on(status.players)} ${text.announced(seconds)}`),
      components: [
        row([
          button(['server', 'yes', action, id, String(seconds), asked.id], {
            label: text.ask[action],
            style: ButtonStyle.Danger,
          }),
          button(['server', 'no'], { label: text.no }),
        ]),
      ],
    };
  },
  complete: completeServers,
  buttons: {
    yes: {
      answers: 'update',
      isDecision: true,
      press(asked, [wanted, serverId = '', seconds, key = '']) {
        const action = actionOf(wanted);
        if (!action) return Promise.resolve(says(texts[asked.language].left));
        return perform(asked, { serverId, action, seconds: Number(seconds) || 0, key });
      },
    },
    no: {
      answers: 'update',
      isDecision: true,
      press: ({ language }) => Promise.resolve(says(texts[language].left)),
    },
  },
};

const showStatus = async (asked: Asked, serverId: string): Promise<Reply> => {
  const { language } = asked;
  const found = await findServer(asked, serverId);
  if ('why' in found) return says(found.why);
  const { act } = await asked.botApi(powerHttp.read, { params: { serverId } });
  const { name, status } = found.server;
  const lines = [`**${nameText(name)}**`, stateText(status.shown, language)];
  if (status.players !== null) lines.push(texts[language].on(status.players));
  if (act) lines.push(underWay(act, language));
  return says(lines.join('\n'));
};

const underWay = ({ action, progress, byName }: PowerAct, language: Language): string => {
  const text = texts[language];
  return `⏳ ${text.under[action]} (${nameText(byName)}). ${progress ? nameText(progress.step, 200) : text.waiting}`;
};

interface Wanted {
  readonly serverId: string;
  readonly action: Action;
  /** Null: not given. */
  readonly seconds: number | null;
  /** From the first interaction: pressed twice, it is done once. */
  readonly key: string;
}

/** Requests the act in the person's name and follows it to its end, so that the answer says what happened. */
const perform = async (asked: AskedAct, wanted: Wanted): Promise<Reply> => {
  const text = texts[asked.language];
  const beganMs = performance.now();
  const begun = await begin(asked, wanted);
  if (!begun) return says(`⚠️ ${text.uncertain}`);
  let act = begun;
  let told = '';
  while (act.outcome === null) {
    if (performance.now() - beganMs > longestWaitMs || asked.signal.aborted)
      return says(`⏳ ${text.tooLong}`);
    const now = await titled(asked, wanted.serverId, underWay(act, asked.language));
    if (now !== told) await asked.tell(says(now));
    told = now;
    await sleep(lookEveryMs, asked.signal);
    const seen = await look(asked, wanted.serverId, act);
    if (seen === 'other') return says(text.other);
    act = seen;
  }
  return says(await titled(asked, wanted.serverId, ended(act, act.outcome, asked.language)));
};

const ended = ({ detail }: PowerAct, outcome: TaskResult['outcome'], language: Language): string =>
  [texts[language].outcomes[outcome], detail === null ? '' : nameText(detail, 500)]
    .filter(Boolean)
    .join('\n');

const titled = async (asked: Asked, serverId: string, text: string): Promise<string> => {
  const found = await findServer(asked, serverId).catch(() => null);
  if (!found || 'why' in found) return text;
  return `**${nameText(found.server.name)}** ${text}\n${stateText(found.server.status.shown, asked.language)}`;
};

/** Null: it is unknown whether it began. @throws {ApiFault} the API refuses */
const begin = (asked: AskedAct, { serverId, action, seconds, key }: Wanted): Promise<PowerAct | null> => {
  const body = { action, ...(seconds !== null && { countdownSeconds: seconds }) };
  return askAgain(asked, () =>
    asked.api(powerHttp.act, { params: { serverId }, body }, { idempotencyKey: `discord-${key}` }),
  );
};

/** Keeps the last known state while the API does not answer. */
const look = async ({ botApi }: Asked, serverId: string, seen: PowerAct): Promise<PowerAct | 'other'> => {
  try {
    const { act, lastAct } = await botApi(powerHttp.read, { params: { serverId } });
    const known = [act, lastAct].find((one) => one?.id === seen.id);
    if (known) return known;
    // While a newer act is under way, such as a kill during a stop, the earlier one's result is not known.
    const isPast = act === null || (lastAct?.endedAt ?? '') >= seen.requestedAt;
    return isPast ? 'other' : seen;
  } catch (error) {
    if (!(error instanceof ApiFault)) throw error;
    return seen;
  }
};

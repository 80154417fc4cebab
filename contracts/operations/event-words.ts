import type { EventKindName, EventPayload } from '../kernel/event-kinds.ts';
import {
  deskReasonsEn,
  deskReasonsPt,
  lastingEndsEn,
  lastingEndsPt,
  shopReasonsEn,
  shopReasonsPt,
} from '../kernel/event-reason-words.ts';
import { type Language, plural } from '../kernel/language.ts';
import type { ProblemCode } from '../kernel/problems.ts';
import { programFaultText } from '../kernel/program-fault-words.ts';
import { shownCode } from '../kernel/windows-codes/windows-answer.ts';
import type { LicenseState } from '../license/license-state.ts';
import type { CommandOutcome } from '../servers/games.ts';
import type { RestoreRun } from '../servers/saves.ts';
import type { Severity } from './event-row.ts';
import type { SpaceLevel } from './health.ts';
import { waitingWords } from './waiting-words.ts';

type BotState = EventPayload<'bot.state-changed'>['to'];
type Via = EventPayload<'server.online'>['via'];

/** The texts of events, in one language. Their sentences take payloads, so a test of their own covers them, not the one for all words. */
interface EventWords {
  /** The kind's name, in the filter. */
  readonly kinds: Readonly<Record<EventKindName, string>>;
  readonly severities: Readonly<Record<Severity, string>>;
  /**
   * One event in a sentence. A kind without one does not compile. Values arrive ready to show: the caller has made sure
   * that they cannot change the sentence's text direction.
   */
  readonly sentences: {
    readonly [Name in EventKindName]: (payload: EventPayload<Name>, told: Told) => string;
  };
}

/** What a sentence uses besides its payload. */
export interface Told {
  readonly duration: (seconds: number) => string;
  /** Formats an ISO 8601 instant. */
  readonly time: (iso: string) => string;
  readonly problemTitle: (code: ProblemCode) => string;
  /** Null: the server is unknown, hidden from the reader, or there is none. */
  readonly serverName: string | null;
}

const botStatesEn: Readonly<Record<BotState, string>> = {
  waiting: 'waits',
  connecting: 'is connecting',
  connected: 'is connected',
  throttled: 'is rate-limited by Discord',
};
const botStatesPt: Readonly<Record<BotState, string>> = {
  waiting: 'está esperando',
  connecting: 'está se conectando',
  connected: 'está conectado',
  throttled: 'foi limitado pelo Discord',
};
const licenseStatesEn: Readonly<Record<LicenseState, string>> = {
  unlicensed: 'This machine no longer has a license',
  valid: 'The license is valid',
  grace: 'The license could not be verified; the grace period has started',
  rejected: 'The license is no longer valid',
};
const licenseStatesPt: Readonly<Record<LicenseState, string>> = {
  unlicensed: 'Não há mais licença nesta máquina',
  valid: 'A licença é válida',
  grace: 'Não foi possível verificar a licença; a carência começou',
  rejected: 'A licença não é mais válida',
};
const outcomesEn: Readonly<Record<CommandOutcome, string>> = {
  answered: 'it answered',
  timeout: 'no reply in time',
  'connection refused': 'the connection was refused',
  'authentication failed': 'the password is wrong',
  'name not found': 'its host name is unknown',
  unreachable: 'its address cannot be reached',
  'wrong protocol': 'another program responds',
  'connection lost': 'the connection was lost',
  'not ready': 'it is not ready yet',
  cancelled: 'cancelled',
  expired: 'it expired',
  'agent away': 'its Game Agent is offline',
  'invalid command': 'the command is not valid',
  unknown: 'the reason is unknown',
};
const outcomesPt: Readonly<Record<CommandOutcome, string>> = {
  answered: 'ele respondeu',
  timeout: 'nenhuma resposta a tempo',
  'connection refused': 'a conexão foi recusada',
  'authentication failed': 'a senha está errada',
  'name not found': 'o nome do host não é conhecido',
  unreachable: 'o endereço não pode ser alcançado',
  'wrong protocol': 'outro programa responde',
  'connection lost': 'a conexão caiu',
  'not ready': 'ele ainda não está pronto',
  cancelled: 'cancelado',
  expired: 'expirou',
  'agent away': 'o agente de jogo está offline',
  'invalid command': 'o comando não é válido',
  unknown: 'o motivo não é conhecido',
};
const viaEn: Readonly<Record<Via, string>> = { agent: 'through its Game Agent', direct: 'directly' };
const viaPt: Readonly<Record<Via, string>> = { agent: 'pelo agente de jogo', direct: 'diretamente' };

/** How a game ended, as far as it is known. */
type End = Pick<EventPayload<'server.crashed'>, 'exitCode' | 'signal'>;
const endEn = ({ exitCode, signal }: End): string =>
  exitCode !== null ? ` with exit code ${shownCode(exitCode)}` : signal === null ? '' : ` by ${signal}`;
const endPt = ({ exitCode, signal }: End): string =>
  exitCode !== null
    ? ` com o código de saída ${shownCode(exitCode)}`
    : signal === null
      ? ''
      : ` por ${signal}`;
const spaceEn: Readonly<Record<SpaceLevel, string>> = {
  enough: 'The disk has enough room again',
  low: 'The disk has little room left',
  short: 'The disk is nearly full',
  full: 'The disk is full',
};
const spacePt: Readonly<Record<SpaceLevel, string>> = {
  enough: 'O disco tem espaço suficiente de novo',
  low: 'O disco tem pouco espaço livre',
  short: 'O disco está quase cheio',
  full: 'O disco está cheio',
};
const after = (why: string): string => why && `: ${why}`;
const restoreStepsEn: Readonly<Record<RestoreRun['step'], string>> = {
  stopping: 'Not restored, since the server could not be stopped:',
  restoring: 'The worlds were not replaced on',
  starting: 'Restored, but not started:',
};
const restoreStepsPt: Readonly<Record<RestoreRun['step'], string>> = {
  stopping: 'Não restaurado, pois não foi possível desligar o servidor:',
  restoring: 'Os mundos não foram substituídos em',
  starting: 'Restaurado, mas não ligado:',
};
const megabytes = (bytes: number): string => `${Math.floor(bytes / 1e6)} MB`;

const en: EventWords = {
  kinds: {
    'stack.started': 'API started',
    'license.changed': 'License changed',
    'license.ends-soon': 'License ends soon',
    'database.recovered': 'Database available again',
    'backup.taken': 'Backup created',
    'backup.failed': 'Backup failed',
    'backup.damaged': 'Stored backup damaged',
    'database.damaged': 'Database damaged',
    'disk.state-changed': 'Disk space changed',
    'secrets.key-replaced': 'Encryption key replaced',
    'bot.state-changed': 'Discord bot changed',
    'waiting.began': 'Something needs you',
    'waiting.ended': 'Nothing of a kind needs you any more',
    'queue.job-failed': 'Job failed',
    'delivery.failed': 'Delivery failed',
    'delivery.needs-decision': 'Delivery needs a decision',
    'shop.order-arrived': 'External order received',
    'shop.order-waits': 'External order needs you',
    'shop.order-taken-back': 'External order removed',
    'entitlement.ended': 'Timed purchase ended',
    'entitlement.needs-decision': 'Timed purchase needs a decision',
    'admin.signed-in': 'Admin signed in',
    'login.failed': 'Failed sign-in',
    'server.online': 'Server online',
    'server.unreachable': 'Server unreachable',
    'server.players-unreadable': 'Player list unreadable',
    'server.started': 'Server started',
    'server.stopped': 'Server stopped',
    'server.crashed': 'Server crashed',
    'server.program-fault': 'Server cannot start',
    'server.crash-looping': 'Server stopped after crashes',
    'saves.backed-up': 'World backed up',
    'saves.backup-failed': 'World backup failed',
    'saves.nightly-failed': 'Nightly world backup failed',
    'saves.restored': 'World restored',
    'saves.restore-undone': 'Restore undone',
    'saves.restore-failed': 'Restore failed',
    'saves.restore-waits': 'Restore waits',
    'mods.changed': 'Mods changed',
    'mods.rolled-back': 'Mods rolled back',
    'mods.failed': 'Mod change failed',
    'mods.updates': 'Mod updates',
    'mods.wave-done': 'Rolling update done',
    'mods.wave-stopped': 'Rolling update stopped',
    'season.began': 'New season',
    'player.joined': 'Player joined',
    'player.left': 'Player left',
    'chat.message': 'Chat',
    'discord.member-joined': 'Joined Discord',
    'discord.member-left': 'Left Discord',
    'agent.connected': 'Game Agent connected',
    'agent.stale': 'Game Agent not responding',
    'agent.pinned': 'Game Agent accepted',
    'agent.refused': 'Game Agent rejected',
  },
  severities: { info: 'Info', notice: 'Notice', warning: 'Warning', alert: 'Alert' },
  sentences: {
    'stack.started': ({ version }) => `Castellan ${version} has started`,
    'license.changed': ({ to, code }, { problemTitle }) =>
      `${licenseStatesEn[to]}${code ? ` (${problemTitle(code)})` : ''}`,
    'license.ends-soon': ({ endsAt }, { time }) =>
      `The license ends ${time(endsAt)}. Renew it in the customer area`,
    'database.recovered': ({ unreachableSince }, { time }) =>
      `The database answers again; it was away since ${time(unreachableSince)}`,
    'backup.taken': ({ name }) => `Backup ${name} was taken`,
    'backup.failed': ({ detail }) => `A backup failed: ${detail}`,
    'backup.damaged': ({ name, file }) => `The stored backup ${name} is damaged (${file})`,
    'database.damaged': ({ detail }) => `The database is damaged: ${detail}`,
    'disk.state-changed': ({ to, freeBytes }) => `${spaceEn[to]}: ${megabytes(freeBytes)} free`,
    'secrets.key-replaced': ({ keyId, replacedKeyId, secrets }) =>
      `The encryption key ${replacedKeyId} was replaced by ${keyId}. ${secrets
        .map(({ keyId: id, count }) => `${plural.en(count, 'secret', 'secrets')} on ${id}`)
        .join(', ')}`,
    'bot.state-changed': ({ to, detail }) =>
      `The Discord bot ${botStatesEn[to]}${detail ? `: ${detail}` : ''}`,
    'waiting.began': ({ waiting, count }) => `Needs you: ${waitingWords.en.things[waiting](count)}`,
    'waiting.ended': ({ waiting }) => `Done: ${waitingWords.en.done[waiting]}`,
    'queue.job-failed': ({ queue, tries }) =>
      `A job of ${queue} failed for good after ${plural.en(tries, 'try', 'tries')}`,
    'delivery.failed': ({ detail, points }) =>
      `A delivery failed${points === 0 ? '' : ' and was refunded'}: ${detail}`,
    'delivery.needs-decision': ({ reason }) => `A delivery needs your decision: ${deskReasonsEn[reason]}`,
    'shop.order-arrived': ({ shop, order }) => `${shop} reported the order ${order}`,
    'shop.order-waits': ({ shop, order, reason }) =>
      `The order ${order} of ${shop} needs you: ${shopReasonsEn[reason]}`,
    'shop.order-taken-back': ({ shop, order, reason, left = [] }) =>
      `The order ${order} of ${shop} was taken back: ${shopReasonsEn[reason]}${
        left.length > 0 ? `. May still be in the game: ${left.join(', ')}` : ''
      }`,
    'entitlement.ended': ({ memberId, key, why }) =>
      `${key} of member #${memberId} ended: ${lastingEndsEn[why]}`,
    'entitlement.needs-decision': ({ memberId, key }) =>
      `The removal of ${key} from member #${memberId} is not confirmed`,
    'admin.signed-in': ({ name, address }) => `${name} signed in${address && ` from ${address}`}`,
    'login.failed': ({ name, address }) => `Failed sign-in as ${name}${address && ` from ${address}`}`,
    'server.online': ({ name, via }) => `${name} answers ${viaEn[via]}`,
    'server.unreachable': ({ name, outcome }) =>
      `${name} stopped responding${outcome ? `: ${outcomesEn[outcome]}` : ''}`,
    'server.players-unreadable': ({ name, detail }) => `The player list of ${name} cannot be read: ${detail}`,
    'server.started': ({ name }) => `${name} was started`,
    'server.stopped': ({ name }) => `${name} was stopped`,
    'server.crashed': ({ name, ...end }) => `${name} crashed${endEn(end)}`,
    'server.program-fault': ({ name, ...fault }) =>
      `${name} cannot start: ${programFaultText(fault, 'en')} It starts by itself once this is corrected`,
    'server.crash-looping': ({ name, crashes }) =>
      `${name} crashed ${plural.en(crashes, 'time', 'times')} and stays down until you start it`,
    'saves.backed-up': ({ name, backup, bytes, notes }) =>
      `The saves of ${name} were backed up as ${backup} (${megabytes(bytes)}${notes > 0 ? `, ${plural.en(notes, 'note', 'notes')}` : ''})`,
    'saves.backup-failed': ({ name, by, detail }) =>
      `The backup of the saves of ${name} that ${by} asked for failed${detail && `: ${detail}`}`,
    'saves.nightly-failed': ({ name, detail }) =>
      `The nightly backup of the saves of ${name} failed${detail && `: ${detail}`}`,
    'saves.restored': ({ name, backup, by }) => `${by} restored the backup ${backup} of ${name}`,
    'saves.restore-undone': ({ name, backup, by }) => `${by} undid the restore of ${backup} of ${name}`,
    'saves.restore-failed': ({ name, backup, by, step, code, detail }, { problemTitle }) =>
      `${restoreStepsEn[step]} ${name} (backup ${backup}, asked for by ${by})${after(code === null ? detail : problemTitle(code))}`,
    'saves.restore-waits': ({ name, backup, by, code }, { problemTitle }) =>
      `The restore of the backup ${backup} of ${name} that ${by} asked for waits${after(code === null ? '' : problemTitle(code))}`,
    'mods.changed': ({ name, by, count }) => `${by} changed ${plural.en(count, 'mod', 'mods')} of ${name}`,
    'mods.rolled-back': ({ name, by, detail }) =>
      `${name} did not come up with the mods of ${by}, and has its old ones again${detail && `: ${detail}`}`,
    'mods.failed': ({ name, by, detail }) =>
      `The change of the mods of ${name} that ${by} asked for failed${detail && `: ${detail}`}`,
    'mods.updates': ({ name, count, mods }) =>
      `${plural.en(count, 'mod', 'mods')} of ${name} ${count === 1 ? 'has a new version' : 'have new versions'}: ${mods.join(', ')}${count > mods.length ? ', …' : ''}`,
    'mods.wave-done': ({ by, changed, blocked }) =>
      `The change of mods that ${by} began is done on ${plural.en(changed, 'server', 'servers')}${blocked > 0 ? `; ${blocked} could not be changed` : ''}`,
    'mods.wave-stopped': ({ by, name, detail, left }) =>
      `The change of mods that ${by} began was stopped by ${name}${left > 0 ? `; ${plural.en(left, 'server stays', 'servers stay')} as before` : ''}: ${detail}`,
    'season.began': ({ name, announcement }) =>
      `The season ${name} has begun${announcement.en === '' ? '' : `: ${announcement.en}`}`,
    'player.joined': ({ name }) => `${name} joined`,
    'player.left': ({ name, playedSeconds }, { duration }) => `${name} left after ${duration(playedSeconds)}`,
    'chat.message': ({ name, text }) => `${name}: ${text}`,
    'discord.member-joined': ({ name }) => `${name} joined the Discord server`,
    'discord.member-left': ({ name }) => `${name} left the Discord server`,
    'agent.connected': ({ name, address }) =>
      `The Game Agent of ${name} connected${address && ` from ${address}`}`,
    'agent.stale': ({ name }) => `The Game Agent of ${name} is not responding`,
    'agent.pinned': ({ name, address }) =>
      `The Game Agent of ${name} was accepted for the first time${address && `, from ${address}`}`,
    'agent.refused': ({ code, address }, { serverName, problemTitle }) =>
      `A Game Agent ${serverName ? `for ${serverName} ` : ''}${address && `from ${address} `}was rejected: ${problemTitle(code)}`,
  },
};

const ptBr: EventWords = {
  kinds: {
    'stack.started': 'API iniciada',
    'license.changed': 'Licença alterada',
    'license.ends-soon': 'A licença termina em breve',
    'database.recovered': 'Banco de dados disponível de novo',
    'backup.taken': 'Backup feito',
    'backup.failed': 'Backup falhou',
    'backup.damaged': 'Backup guardado danificado',
    'database.damaged': 'Banco de dados danificado',
    'disk.state-changed': 'Espaço em disco mudou',
    'secrets.key-replaced': 'Chave de criptografia trocada',
    'bot.state-changed': 'Bot do Discord mudou',
    'waiting.began': 'Algo precisa de você',
    'waiting.ended': 'Nada de um tipo precisa mais de você',
    'queue.job-failed': 'Tarefa falhou',
    'delivery.failed': 'Entrega falhou',
    'delivery.needs-decision': 'Entrega precisa de uma decisão',
    'shop.order-arrived': 'Pedido externo recebido',
    'shop.order-waits': 'Pedido externo precisa de você',
    'shop.order-taken-back': 'Pedido externo removido',
    'entitlement.ended': 'Compra por tempo terminou',
    'entitlement.needs-decision': 'Compra por tempo precisa de uma decisão',
    'admin.signed-in': 'Administrador entrou',
    'login.failed': 'Falha ao entrar',
    'server.online': 'Servidor online',
    'server.unreachable': 'Servidor sem resposta',
    'server.players-unreadable': 'Lista de jogadores ilegível',
    'server.started': 'Servidor ligado',
    'server.stopped': 'Servidor desligado',
    'server.crashed': 'Servidor caiu',
    'server.program-fault': 'Servidor não pode iniciar',
    'server.crash-looping': 'Servidor parado após quedas',
    'saves.backed-up': 'Backup do mundo feito',
    'saves.backup-failed': 'Backup do mundo falhou',
    'saves.nightly-failed': 'Backup noturno do mundo falhou',
    'saves.restored': 'Mundo restaurado',
    'saves.restore-undone': 'Restauração desfeita',
    'saves.restore-failed': 'Restauração falhou',
    'saves.restore-waits': 'Restauração em espera',
    'mods.changed': 'Mods alterados',
    'mods.rolled-back': 'Mods revertidos',
    'mods.failed': 'Alteração de mods falhou',
    'mods.updates': 'Atualizações de mods',
    'mods.wave-done': 'Atualização gradual concluída',
    'mods.wave-stopped': 'Atualização gradual interrompida',
    'season.began': 'Nova temporada',
    'player.joined': 'Jogador entrou',
    'player.left': 'Jogador saiu',
    'chat.message': 'Chat',
    'discord.member-joined': 'Entrou no Discord',
    'discord.member-left': 'Saiu do Discord',
    'agent.connected': 'Agente de jogo conectado',
    'agent.stale': 'Agente de jogo sem resposta',
    'agent.pinned': 'Agente de jogo aceito',
    'agent.refused': 'Agente de jogo rejeitado',
  },
  severities: { info: 'Informação', notice: 'Aviso', warning: 'Atenção', alert: 'Alerta' },
  sentences: {
    'stack.started': ({ version }) => `O Castellan ${version} foi iniciado`,
    'license.changed': ({ to, code }, { problemTitle }) =>
      `${licenseStatesPt[to]}${code ? ` (${problemTitle(code)})` : ''}`,
    'license.ends-soon': ({ endsAt }, { time }) =>
      `A licença termina ${time(endsAt)}. Renove-a na área do cliente`,
    'database.recovered': ({ unreachableSince }, { time }) =>
      `O banco de dados voltou a responder; estava fora desde ${time(unreachableSince)}`,
    'backup.taken': ({ name }) => `O backup ${name} foi feito`,
    'backup.failed': ({ detail }) => `Um backup falhou: ${detail}`,
    'backup.damaged': ({ name, file }) => `O backup guardado ${name} está danificado (${file})`,
    'database.damaged': ({ detail }) => `O banco de dados está danificado: ${detail}`,
    'disk.state-changed': ({ to, freeBytes }) => `${spacePt[to]}: ${megabytes(freeBytes)} livres`,
    'secrets.key-replaced': ({ keyId, replacedKeyId, secrets }) =>
      `A chave de criptografia ${replacedKeyId} foi trocada por ${keyId}. ${secrets
        .map(({ keyId: id, count }) => `${plural.pt(count, 'segredo', 'segredos')} em ${id}`)
        .join(', ')}`,
    'bot.state-changed': ({ to, detail }) =>
      `O bot do Discord ${botStatesPt[to]}${detail ? `: ${detail}` : ''}`,
    'waiting.began': ({ waiting, count }) =>
      `Precisa de você: ${waitingWords['pt-BR'].things[waiting](count)}`,
    'waiting.ended': ({ waiting }) => `Resolvido: ${waitingWords['pt-BR'].done[waiting]}`,
    'queue.job-failed': ({ queue, tries }) =>
      `Uma tarefa de ${queue} falhou definitivamente após ${plural.pt(tries, 'tentativa', 'tentativas')}`,
    'delivery.failed': ({ detail, points }) =>
      `Uma entrega falhou${points === 0 ? '' : ' e foi reembolsada'}: ${detail}`,
    'delivery.needs-decision': ({ reason }) => `Uma entrega precisa da sua decisão: ${deskReasonsPt[reason]}`,
    'shop.order-arrived': ({ shop, order }) => `${shop} informou o pedido ${order}`,
    'shop.order-waits': ({ shop, order, reason }) =>
      `O pedido ${order} de ${shop} precisa de você: ${shopReasonsPt[reason]}`,
    'shop.order-taken-back': ({ shop, order, reason, left = [] }) =>
      `O pedido ${order} de ${shop} foi retirado: ${shopReasonsPt[reason]}${
        left.length > 0 ? `. Pode ainda estar no jogo: ${left.join(', ')}` : ''
      }`,
    'entitlement.ended': ({ memberId, key, why }) =>
      `${key} do membro #${memberId} terminou: ${lastingEndsPt[why]}`,
    'entitlement.needs-decision': ({ memberId, key }) =>
      `Não há como saber se ${key} foi retirado do membro #${memberId}`,
    'admin.signed-in': ({ name, address }) => `${name} entrou${address && ` a partir de ${address}`}`,
    'login.failed': ({ name, address }) =>
      `Falha ao entrar como ${name}${address && ` a partir de ${address}`}`,
    'server.online': ({ name, via }) => `${name} responde ${viaPt[via]}`,
    'server.unreachable': ({ name, outcome }) =>
      `${name} não responde mais${outcome ? `: ${outcomesPt[outcome]}` : ''}`,
    'server.players-unreadable': ({ name, detail }) =>
      `A lista de jogadores de ${name} não pode ser lida: ${detail}`,
    'server.started': ({ name }) => `${name} foi ligado`,
    'server.stopped': ({ name }) => `${name} foi desligado`,
    'server.crashed': ({ name, ...end }) => `${name} caiu${endPt(end)}`,
    'server.program-fault': ({ name, ...fault }) =>
      `${name} não pode iniciar: ${programFaultText(fault, 'pt-BR')} Ele inicia sozinho assim que isso for corrigido`,
    'server.crash-looping': ({ name, crashes }) =>
      `${name} caiu ${plural.pt(crashes, 'vez', 'vezes')} e fica desligado até que você o ligue`,
    'saves.backed-up': ({ name, backup, bytes, notes }) =>
      `O backup ${backup} dos saves de ${name} foi feito (${megabytes(bytes)}${notes > 0 ? `, ${plural.pt(notes, 'observação', 'observações')}` : ''})`,
    'saves.backup-failed': ({ name, by, detail }) =>
      `O backup dos saves de ${name} que ${by} pediu falhou${detail && `: ${detail}`}`,
    'saves.nightly-failed': ({ name, detail }) =>
      `O backup noturno dos saves de ${name} falhou${detail && `: ${detail}`}`,
    'saves.restored': ({ name, backup, by }) => `${by} restaurou o backup ${backup} de ${name}`,
    'saves.restore-undone': ({ name, backup, by }) => `${by} desfez a restauração de ${backup} de ${name}`,
    'saves.restore-failed': ({ name, backup, by, step, code, detail }, { problemTitle }) =>
      `${restoreStepsPt[step]} ${name} (backup ${backup}, pedido por ${by})${after(code === null ? detail : problemTitle(code))}`,
    'saves.restore-waits': ({ name, backup, by, code }, { problemTitle }) =>
      `A restauração do backup ${backup} de ${name} pedida por ${by} espera${after(code === null ? '' : problemTitle(code))}`,
    'mods.changed': ({ name, by, count }) => `${by} alterou ${plural.pt(count, 'mod', 'mods')} de ${name}`,
    'mods.rolled-back': ({ name, by, detail }) =>
      `${name} não subiu com os mods de ${by} e voltou aos antigos${detail && `: ${detail}`}`,
    'mods.failed': ({ name, by, detail }) =>
      `A alteração dos mods de ${name} pedida por ${by} falhou${detail && `: ${detail}`}`,
    'mods.updates': ({ name, count, mods }) =>
      `${plural.pt(count, 'mod', 'mods')} de ${name} ${count === 1 ? 'tem uma nova versão' : 'têm novas versões'}: ${mods.join(', ')}${count > mods.length ? ', …' : ''}`,
    'mods.wave-done': ({ by, changed, blocked }) =>
      `A alteração de mods iniciada por ${by} terminou em ${plural.pt(changed, 'servidor', 'servidores')}${blocked > 0 ? `; ${blocked} não puderam ser alterados` : ''}`,
    'mods.wave-stopped': ({ by, name, detail, left }) =>
      `A alteração de mods iniciada por ${by} foi interrompida por ${name}${left > 0 ? `; ${plural.pt(left, 'servidor fica', 'servidores ficam')} como antes` : ''}: ${detail}`,
    'season.began': ({ name, announcement }) =>
      `A temporada ${name} começou${announcement['pt-BR'] === '' ? '' : `: ${announcement['pt-BR']}`}`,
    'player.joined': ({ name }) => `${name} entrou no jogo`,
    'player.left': ({ name, playedSeconds }, { duration }) =>
      `${name} saiu do jogo após ${duration(playedSeconds)}`,
    'chat.message': ({ name, text }) => `${name}: ${text}`,
    'discord.member-joined': ({ name }) => `${name} entrou no servidor do Discord`,
    'discord.member-left': ({ name }) => `${name} saiu do servidor do Discord`,
    'agent.connected': ({ name, address }) =>
      `O agente de jogo de ${name} se conectou${address && ` a partir de ${address}`}`,
    'agent.stale': ({ name }) => `O agente de jogo de ${name} não está respondendo`,
    'agent.pinned': ({ name, address }) =>
      `O agente de jogo de ${name} foi aceito pela primeira vez${address && `, a partir de ${address}`}`,
    'agent.refused': ({ code, address }, { serverName, problemTitle }) =>
      `Um agente de jogo${serverName ? ` para ${serverName}` : ''}${address && `, vindo de ${address},`} não foi aceito: ${problemTitle(code)}`,
  },
};

export const eventWords: Readonly<Record<Language, EventWords>> = { en, 'pt-BR': ptBr };

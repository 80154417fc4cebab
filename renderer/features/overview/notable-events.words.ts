import { defineWords, plural } from '../../language/define-words.ts';

/** A sentence for each kind of event that somebody should look at. */
export const notableEventsWords = defineWords(
  {
    title: 'To look at',
    all: 'All events',
    none: 'Nothing to look at',
    noneText: 'Warnings and alerts appear here as they come.',
    severities: { warning: 'Warning', alert: 'Alert' },
    license: {
      valid: 'The license holds.',
      grace: 'The license could not be confirmed; its days of grace run.',
      rejected: 'The license does not hold any more.',
      unlicensed: 'There is no license on this machine any more.',
    },
    databaseRecovered: (time: string) => `The database answers again. It was away since ${time}.`,
    botThrottled: 'Discord slows the bot down.',
    botChanged: 'The Discord bot has changed its state.',
    jobFailed: (queue: string, tries: number) =>
      `A job of “${queue}” has failed for good after ${plural.en(tries, 'try', 'tries')}.`,
    serverUnreachable: (name: string) => `${name} does not answer any more.`,
    agentStale: (name: string) => `Nothing is heard from the Game Agent of ${name} any more.`,
    agentRefused: (address: string) => `A Game Agent from ${address} was not let in.`,
    agentRefusedFor: (server: string, address: string) =>
      `A Game Agent for ${server} from ${address} was not let in.`,
  },
  {
    title: 'Precisa de atenção',
    all: 'Todos os eventos',
    none: 'Nada que precise de atenção',
    noneText: 'Avisos e alertas aparecem aqui assim que chegam.',
    severities: { warning: 'Aviso', alert: 'Alerta' },
    license: {
      valid: 'A licença é válida.',
      grace: 'A licença não pôde ser confirmada; os dias de carência estão correndo.',
      rejected: 'A licença não é mais válida.',
      unlicensed: 'Não há mais licença nesta máquina.',
    },
    databaseRecovered: (time: string) => `O banco de dados responde de novo. Estava fora desde ${time}.`,
    botThrottled: 'O Discord está limitando o bot.',
    botChanged: 'O bot do Discord mudou de estado.',
    jobFailed: (queue: string, tries: number) =>
      `Uma tarefa de “${queue}” falhou em definitivo após ${plural.pt(tries, 'tentativa', 'tentativas')}.`,
    serverUnreachable: (name: string) => `${name} não responde mais.`,
    agentStale: (name: string) => `Não há mais notícias do agente de jogo de ${name}.`,
    agentRefused: (address: string) => `Um agente de jogo de ${address} não foi aceito.`,
    agentRefusedFor: (server: string, address: string) =>
      `Um agente de jogo para ${server}, de ${address}, não foi aceito.`,
  },
);

import { plural } from '#contracts/kernel/language.ts';
import { defineWords } from '#contracts/kernel/words.ts';
import type { TroubledState } from './problems.ts';

export const verdictWords = defineWords(
  {
    label: 'Verdict',
    well: {
      all: 'Everything works',
      stack: 'The stack works',
      servers: 'The servers that you can see work',
    },
    notKnown: (count: number) =>
      `No problems found, but ${plural.en(count, 'state is', 'states are')} unknown`,
    starting: (count: number) =>
      `No problems found, but ${plural.en(count, 'server is', 'servers are')} starting or stopping`,
    waits: (count: number) => plural.en(count, 'thing waits for you', 'things wait for you'),
    unread: 'Checking …',
    unreadable: 'Some states could not be loaded',
    away: 'Castellan is not responding',
    awayText: 'Below is the last known state. Castellan reconnects automatically.',
    servers: {
      'console-silent': 'is running, but its console does not respond',
      'program-fault': 'cannot start: its program is missing or cannot be run',
      'backing-off': 'crashed and restarts soon',
      'crash-looping': 'crashed too often and stays stopped',
      offline: 'does not respond',
    } satisfies Record<TroubledState, string>,
    openServer: 'Open server',
    since: 'since',
    problems: (count: number) => plural.en(count, 'problem', 'problems'),
    more: (count: number) => plural.en(count, 'more problem', 'more problems'),
    showAll: 'Show all',
  },
  {
    label: 'Veredito',
    well: {
      all: 'Tudo funciona',
      stack: 'O sistema funciona',
      servers: 'Os servidores que você pode ver funcionam',
    },
    notKnown: (count: number) =>
      `Nenhum problema encontrado, mas ${plural.pt(count, 'estado é desconhecido', 'estados são desconhecidos')}`,
    starting: (count: number) =>
      `Nenhum problema encontrado, mas ${plural.pt(count, 'servidor está', 'servidores estão')} iniciando ou parando`,
    waits: (count: number) => plural.pt(count, 'coisa espera por você', 'coisas esperam por você'),
    unread: 'Verificando …',
    unreadable: 'Alguns estados não puderam ser carregados',
    away: 'O Castellan não está respondendo',
    awayText: 'Abaixo está o último estado conhecido. A conexão é refeita automaticamente.',
    servers: {
      'console-silent': 'está em execução, mas o console não responde',
      'program-fault': 'não pode iniciar: o programa não existe ou não pode ser executado',
      'backing-off': 'caiu e reinicia em breve',
      'crash-looping': 'caiu vezes demais e fica desligado',
      offline: 'não responde',
    },
    openServer: 'Abrir servidor',
    since: 'desde',
    problems: (count: number) => plural.pt(count, 'problema', 'problemas'),
    more: (count: number) => `Mais ${plural.pt(count, 'problema', 'problemas')}`,
    showAll: 'Mostrar todos',
  },
);

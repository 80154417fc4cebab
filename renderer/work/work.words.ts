import { plural } from '#contracts/language.ts';
import { defineWords } from '../language/define-words.ts';

export const workWords = defineWords(
  {
    title: 'Work',
    menu: (done: string, total: string) => `Work: ${done} of ${total}`,
    progress: (label: string, done: string, total: string) => `${label}: ${done} of ${total}`,
    ofTotal: (done: string, total: string) => `${done} of ${total}`,
    waiting: 'Waits for the work before it',
    done: (count: number) => plural.en(count, 'done', 'done'),
    failed: (count: number) => plural.en(count, 'failed', 'failed'),
    halted: 'Stopped for now',
    cancel: 'Cancel the rest',
    goOn: 'Go on',
    tryAgain: 'Try the failed ones again',
    forget: 'Remove from the list',
    announceDone: (label: string, done: number) => `${label}: ${done} done.`,
    announceFailed: (label: string, done: number, failed: number) =>
      `${label}: ${done} done, ${failed} failed.`,
    announceHalted: (label: string, left: number) => `${label}: stopped for now, ${left} left.`,
    more: (count: number) => `and ${count} more`,
  },
  {
    title: 'Trabalho',
    menu: (done: string, total: string) => `Trabalho: ${done} de ${total}`,
    progress: (label: string, done: string, total: string) => `${label}: ${done} de ${total}`,
    ofTotal: (done: string, total: string) => `${done} de ${total}`,
    waiting: 'Espera o trabalho anterior terminar',
    done: (count: number) => plural.pt(count, 'feito', 'feitos'),
    failed: (count: number) => plural.pt(count, 'falhou', 'falharam'),
    halted: 'Parado por enquanto',
    cancel: 'Cancelar o resto',
    goOn: 'Continuar',
    tryAgain: 'Tentar de novo os que falharam',
    forget: 'Tirar da lista',
    announceDone: (label: string, done: number) => `${label}: ${plural.pt(done, 'feito', 'feitos')}.`,
    announceFailed: (label: string, done: number, failed: number) =>
      `${label}: ${plural.pt(done, 'feito', 'feitos')}, ${failed} com falha.`,
    announceHalted: (label: string, left: number) =>
      `${label}: parado por enquanto, ${plural.pt(left, 'restante', 'restantes')}.`,
    more: (count: number) => `e mais ${count}`,
  },
);

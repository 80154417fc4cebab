import { plural } from '#contracts/kernel/language.ts';
import { defineWords } from '#contracts/kernel/words.ts';

export const workWords = defineWords(
  {
    title: 'Tasks',
    menu: (done: string, total: string) => `Tasks: ${done} of ${total}`,
    progress: (label: string, done: string, total: string) => `${label}: ${done} of ${total}`,
    ofTotal: (done: string, total: string) => `${done} of ${total}`,
    waiting: 'Queued',
    done: (count: number) => plural.en(count, 'done', 'done'),
    failed: (count: number) => plural.en(count, 'failed', 'failed'),
    halted: 'Paused',
    cancel: 'Cancel remaining',
    goOn: 'Resume',
    tryAgain: 'Retry failed',
    forget: 'Remove from list',
    announceDone: (label: string, done: number) => `${label}: ${done} done.`,
    announceFailed: (label: string, done: number, failed: number) =>
      `${label}: ${done} done, ${failed} failed.`,
    announceHalted: (label: string, left: number) => `${label}: paused, ${left} left.`,
    more: (count: number) => `and ${count} more`,
  },
  {
    title: 'Tarefas',
    menu: (done: string, total: string) => `Tarefas: ${done} de ${total}`,
    progress: (label: string, done: string, total: string) => `${label}: ${done} de ${total}`,
    ofTotal: (done: string, total: string) => `${done} de ${total}`,
    waiting: 'Na fila',
    done: (count: number) => plural.pt(count, 'feito', 'feitos'),
    failed: (count: number) => plural.pt(count, 'falhou', 'falharam'),
    halted: 'Pausado',
    cancel: 'Cancelar o restante',
    goOn: 'Retomar',
    tryAgain: 'Tentar de novo os que falharam',
    forget: 'Tirar da lista',
    announceDone: (label: string, done: number) => `${label}: ${plural.pt(done, 'feito', 'feitos')}.`,
    announceFailed: (label: string, done: number, failed: number) =>
      `${label}: ${plural.pt(done, 'feito', 'feitos')}, ${failed} com falha.`,
    announceHalted: (label: string, left: number) =>
      `${label}: pausado, ${plural.pt(left, 'restante', 'restantes')}.`,
    more: (count: number) => `e mais ${count}`,
  },
);

import { defineWords } from '#contracts/kernel/words.ts';
import type { TaskResult } from '#contracts/servers/agent-tasks.ts';

/** How a task of an agent ended. */
export const taskOutcomesWords = defineWords(
  {
    done: 'Done',
    failed: 'Failed',
    refused: 'Rejected by the Game Agent',
    cancelled: 'Cancelled',
    expired: 'Not started: the Game Agent did not respond in time',
    unknown: 'Outcome unknown',
  } satisfies Record<TaskResult['outcome'], string>,
  {
    done: 'Feito',
    failed: 'Falhou',
    refused: 'Rejeitado pelo agente de jogo',
    cancelled: 'Cancelado',
    expired: 'Não iniciado: o agente de jogo não respondeu a tempo',
    unknown: 'Resultado desconhecido',
  },
);

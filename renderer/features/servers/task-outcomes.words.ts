import type { TaskResult } from '#contracts/agent-tasks.ts';
import { defineWords } from '../../language/define-words.ts';

/** How it ended, what was asked of an agent. */
export const taskOutcomesWords = defineWords(
  {
    done: 'Done',
    failed: 'Failed',
    refused: 'Refused by the agent',
    cancelled: 'Cancelled',
    expired: 'Never begun: the agent did not take it in time',
    unknown: 'How it ended is not known',
  } satisfies Record<TaskResult['outcome'], string>,
  {
    done: 'Feito',
    failed: 'Falhou',
    refused: 'Recusado pelo agente',
    cancelled: 'Cancelado',
    expired: 'Não começou: o agente não aceitou a tempo',
    unknown: 'Não se sabe como terminou',
  },
);

import { defineWords } from '../language/define-words.ts';

/** The queues and the states of their jobs; a queue of another version is called as it calls itself. */
export const queuesWords = defineWords(
  {
    names: {
      delivery: 'Deliveries',
      'delivery-wakes': 'Looking after deliveries',
      maintenance: 'Daily upkeep',
      'reencrypt-secrets': 'Encrypting secrets anew',
    },
    states: {
      created: 'Waiting',
      retry: 'Tried again',
      active: 'Running',
      completed: 'Done',
      cancelled: 'Cancelled',
      failed: 'Failed',
    },
  },
  {
    names: {
      delivery: 'Entregas',
      'delivery-wakes': 'Andamento das entregas',
      maintenance: 'Manutenção diária',
      'reencrypt-secrets': 'Nova criptografia dos segredos',
    },
    states: {
      created: 'Esperando',
      retry: 'Nova tentativa',
      active: 'Em andamento',
      completed: 'Concluídas',
      cancelled: 'Canceladas',
      failed: 'Falharam',
    },
  },
);

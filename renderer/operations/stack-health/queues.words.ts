import { defineWords } from '#contracts/kernel/words.ts';

/** The queues and the states of their jobs; a queue from another version is shown by its own name. */
export const queuesWords = defineWords(
  {
    names: {
      delivery: 'Deliveries',
      'delivery-wakes': 'Delivery scheduling',
      mods: 'Mod changes',
      maintenance: 'Daily maintenance',
      'reencrypt-secrets': 'Re-encrypting secrets',
    },
    states: {
      created: 'Waiting',
      retry: 'Retrying',
      active: 'Running',
      completed: 'Done',
      cancelled: 'Cancelled',
      failed: 'Failed',
    },
  },
  {
    names: {
      delivery: 'Entregas',
      'delivery-wakes': 'Agendamento das entregas',
      mods: 'Mudanças de mods',
      maintenance: 'Manutenção diária',
      'reencrypt-secrets': 'Nova criptografia dos segredos',
    },
    states: {
      created: 'Esperando',
      retry: 'Tentando de novo',
      active: 'Em andamento',
      completed: 'Concluídas',
      cancelled: 'Canceladas',
      failed: 'Falharam',
    },
  },
);

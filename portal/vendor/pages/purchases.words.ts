import { defineWords } from '#contracts/kernel/words.ts';

export const purchasesWords = defineWords(
  {
    title: 'Purchases',
    which: 'Filter',
    outcomes: {
      processed: 'processed',
      waiting: 'waiting',
      unprocessed: 'needs a decision',
      ignored: 'ignored',
    },
    caption: 'Events from payment gateways, newest first',
    head: {
      received: 'Received',
      event: 'Event',
      order: 'Order',
      buyer: 'Buyer',
      plan: 'Plan',
      outcome: 'Outcome',
      reason: 'Reason',
      act: 'Action',
    },
    empty: 'No matching purchases.',
    retry: 'Try again',
    setAside: 'Dismiss',
    setAsideTitle: 'Dismiss purchase event',
    setAsideMeaning:
      'The event no longer needs a decision and is not retried. It gives the buyer no license. If they should get one, issue it manually.',
    setAsideAct: 'Dismiss event',
    named: (id: string) => `event ${id}`,
  },
  {
    title: 'Compras',
    which: 'Filtro',
    outcomes: {
      processed: 'processada',
      waiting: 'aguardando',
      unprocessed: 'precisa de decisão',
      ignored: 'ignorada',
    },
    caption: 'Eventos dos meios de pagamento, mais recentes primeiro',
    head: {
      received: 'Recebida',
      event: 'Evento',
      order: 'Pedido',
      buyer: 'Comprador',
      plan: 'Plano',
      outcome: 'Resultado',
      reason: 'Motivo',
      act: 'Ação',
    },
    empty: 'Nenhuma compra encontrada.',
    retry: 'Tentar de novo',
    setAside: 'Dispensar',
    setAsideTitle: 'Dispensar evento de compra',
    setAsideMeaning:
      'O evento não precisa mais de decisão e não é tentado de novo. Ele não dá licença ao comprador. Se ele tiver direito a uma, emita-a manualmente.',
    setAsideAct: 'Dispensar evento',
    named: (id: string) => `evento ${id}`,
  },
);

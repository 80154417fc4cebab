import { defineWords } from '#contracts/kernel/words.ts';

export const deskWords = defineWords(
  {
    title: 'Desk',
    description:
      'Deliveries that may or may not have arrived, oldest first. Castellan does nothing with them until you decide.',
    ends: {
      unknown: {
        title: 'Removal not confirmed',
        text: 'These timed purchases ended, but the game may not have removed them. Open the member to send the command again or mark it as done.',
      },
      overdue: {
        title: 'Overdue by more than an hour',
        text: 'These timed purchases were not removed at their end, or not restored after a renewal. Usually the server is offline. Open the member to see the reason.',
      },
    },
    endsMore: 'and more',
    product: 'Product',
    member: 'Member',
    why: 'Reason',
    server: 'Server',
    points: 'Paid',
    since: 'Waiting since',
    gives: 'Item',
    state: 'State',
    empty: 'Nothing to decide',
    toDeliveries: 'Go to deliveries',
    emptyText:
      'When a game crashes or its reply is lost, the delivery waits here, so nothing is delivered or refunded twice.',
    open: 'Open delivery',
    evidence: 'Evidence',
    older: (count: number) => `Earlier attempts (${count})`,
    noAttempt: 'Not sent yet.',
    rules: 'Rules',
    rulesPage: {
      title: 'Desk rules',
      description:
        'Resolve deliveries automatically when it is unclear whether they arrived. All other cases wait for you. The most specific rule applies.',
      back: 'Back to desk',
      add: 'Add rule',
      list: 'Rules',
      server: 'Server',
      product: 'Product',
      decision: 'Decision',
      scope: (server: string, product: string) => `${server}: ${product}`,
      allServers: 'All servers',
      allProducts: 'All products',
      empty: 'No rules yet',
      emptyText: 'Add a rule for what you always decide the same way, such as refunds on a test server.',
      remove: 'Remove',
      removeTitle: 'Remove this rule?',
      removeText: 'These deliveries will wait at the desk again. Past decisions stay.',
      removed: 'Rule removed',
      set: 'Save rule',
      setText: 'The rule also applies to deliveries that are waiting now. Their outcome cannot be undone.',
      replaces: 'This replaces the existing rule.',
      hasSet: 'Rule saved',
      decisions: {
        delivered: 'Mark as delivered',
        'send-again': 'Send again',
        refund: 'Refund',
      },
      decisionTexts: {
        delivered: 'Nothing is sent or refunded. Members who received nothing have to contact you.',
        'send-again':
          'Sent once more; after that, you decide. If it had arrived after all, the player has it twice.',
        refund: 'The points are returned. If it had arrived after all, the player keeps it for free.',
      },
    },
  },
  {
    title: 'Mesa de decisões',
    description:
      'Entregas que podem ou não ter chegado, da mais antiga à mais nova. O Castellan não faz nada com elas até você decidir.',
    ends: {
      unknown: {
        title: 'Remoção não confirmada',
        text: 'Estas compras por tempo terminaram, mas o jogo pode não tê-las removido. Abra o membro para enviar o comando de novo ou marcar como feito.',
      },
      overdue: {
        title: 'Atrasado há mais de uma hora',
        text: 'Estas compras por tempo não foram removidas no fim do prazo, ou não foram restauradas após uma renovação. Em geral o servidor está offline. Abra o membro para ver o motivo.',
      },
    },
    endsMore: 'e outros',
    product: 'Produto',
    member: 'Membro',
    why: 'Motivo',
    server: 'Servidor',
    points: 'Pago',
    since: 'Esperando desde',
    gives: 'Item',
    state: 'Estado',
    empty: 'Nada a decidir',
    toDeliveries: 'Ir para as entregas',
    emptyText:
      'Quando um jogo cai ou a resposta dele se perde, a entrega espera aqui, para que nada seja entregue ou reembolsado duas vezes.',
    open: 'Abrir entrega',
    evidence: 'Evidências',
    older: (count: number) => `Tentativas anteriores (${count})`,
    noAttempt: 'Ainda não enviada.',
    rules: 'Regras',
    rulesPage: {
      title: 'Regras da mesa',
      description:
        'Resolva entregas automaticamente quando não está claro se chegaram. Todos os outros casos esperam por você. Vale a regra mais específica.',
      back: 'Voltar para a mesa',
      add: 'Adicionar regra',
      list: 'Regras',
      server: 'Servidor',
      product: 'Produto',
      decision: 'Decisão',
      scope: (server: string, product: string) => `${server}: ${product}`,
      allServers: 'Todos os servidores',
      allProducts: 'Todos os produtos',
      empty: 'Nenhuma regra ainda',
      emptyText:
        'Adicione uma regra para o que você sempre decide do mesmo jeito, como reembolsos em um servidor de testes.',
      remove: 'Remover',
      removeTitle: 'Remover esta regra?',
      removeText: 'Essas entregas voltarão a esperar na mesa. As decisões já tomadas continuam valendo.',
      removed: 'Regra removida',
      set: 'Salvar regra',
      setText:
        'A regra também vale para as entregas que já estão esperando. O resultado delas não pode ser desfeito.',
      replaces: 'Isto substitui a regra existente.',
      hasSet: 'Regra salva',
      decisions: {
        delivered: 'Marcar como entregue',
        'send-again': 'Enviar de novo',
        refund: 'Reembolsar',
      },
      decisionTexts: {
        delivered: 'Nada é enviado nem reembolsado. Quem não recebeu precisa falar com você.',
        'send-again':
          'Enviada mais uma vez; depois disso, você decide. Se já tinha chegado, o jogador fica com duas.',
        refund: 'Os pontos são devolvidos. Se já tinha chegado, o jogador fica com o item de graça.',
      },
    },
  },
);

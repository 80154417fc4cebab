import { defineWords } from '../../language/define-words.ts';

export const deskWords = defineWords(
  {
    title: 'Desk',
    description:
      'Deliveries of which no one can tell the end for certain. Nothing is sent, refunded or charged by itself here: a person decides. The oldest comes first.',
    ends: {
      unknown: {
        title: 'Perhaps not taken back',
        text: 'No one can tell whether these were taken back at their end. Open the member to send the command again, or to say that it is done.',
      },
      overdue: {
        title: 'Overdue for more than an hour',
        text: 'These have ended and were not taken back yet, or were bought again and not given back. Most often their server is away. Open the member to see the reason.',
      },
    },
    endsMore: 'and more',
    product: 'Product',
    member: 'For',
    why: 'Why',
    server: 'Server',
    points: 'Paid',
    since: 'Waits since',
    gives: 'What is given',
    state: 'Where it stands',
    empty: 'Nothing to decide',
    emptyText:
      'Deliveries come here when a game crashes or an answer is lost, so that nothing is ever given or refunded twice by itself.',
    open: 'Open the delivery',
    evidence: 'What is known',
    older: (count: number) => `Earlier attempts (${count})`,
    noAttempt: 'Nothing was sent yet.',
    rules: 'Rules',
    rulesPage: {
      title: 'Rules of the desk',
      description:
        'What is decided without a person, for deliveries of which no one can tell whether they arrived. All others always wait for a person. The most particular rule counts.',
      back: 'To the desk',
      add: 'Add a rule',
      list: 'Rules',
      server: 'Server',
      product: 'Product',
      decision: 'Decision',
      scope: (server: string, product: string) => `${server}: ${product}`,
      allServers: 'All servers',
      allProducts: 'All products',
      empty: 'No rules: a person decides everything',
      emptyText: 'A rule is for what you decide the same way each time, such as refunds on a test server.',
      remove: 'Remove',
      removeTitle: 'Remove this rule?',
      removeText: 'From then on, such deliveries wait at the desk for a person. What was decided stays.',
      removed: 'The rule is removed',
      set: 'Set the rule',
      setText: 'The rule also decides what waits at the desk now. This cannot be undone.',
      replaces: 'There is a rule for these already; this one takes its place.',
      hasSet: 'The rule is set',
      decisions: {
        delivered: 'Count as arrived',
        'send-again': 'Send again',
        refund: 'Refund',
      },
      decisionTexts: {
        delivered: 'Nothing is sent and no points move. A member who got nothing has to ask.',
        'send-again':
          'It is sent once more; after that a person decides. If it had arrived after all, the player has it twice.',
        refund: 'The points go back. If it had arrived after all, the player keeps it for free.',
      },
    },
  },
  {
    title: 'Mesa de decisões',
    description:
      'Entregas das quais não dá para saber ao certo como terminaram. Aqui nada é enviado, reembolsado ou cobrado sozinho: uma pessoa decide. A mais antiga vem primeiro.',
    ends: {
      unknown: {
        title: 'Talvez não retirado',
        text: 'Não há como saber se isto foi retirado no fim do prazo. Abra o membro para enviar o comando de novo, ou para dizer que já foi feito.',
      },
      overdue: {
        title: 'Atrasado há mais de uma hora',
        text: 'Isto terminou e ainda não foi retirado, ou foi comprado de novo e ainda não foi devolvido. Em geral o servidor está fora do ar. Abra o membro para ver o motivo.',
      },
    },
    endsMore: 'e outros',
    product: 'Produto',
    member: 'Para',
    why: 'Por quê',
    server: 'Servidor',
    points: 'Pago',
    since: 'Espera desde',
    gives: 'O que é dado',
    state: 'Como está',
    empty: 'Nada a decidir',
    emptyText:
      'As entregas vêm para cá quando um jogo cai ou uma resposta se perde, para que nada seja dado ou reembolsado duas vezes sozinho.',
    open: 'Abrir a entrega',
    evidence: 'O que se sabe',
    older: (count: number) => `Tentativas anteriores (${count})`,
    noAttempt: 'Nada foi enviado ainda.',
    rules: 'Regras',
    rulesPage: {
      title: 'Regras da mesa',
      description:
        'O que é decidido sem uma pessoa, para entregas das quais não dá para saber se chegaram. Todas as outras sempre esperam por uma pessoa. Vale a regra mais específica.',
      back: 'Ir para a mesa',
      add: 'Adicionar uma regra',
      list: 'Regras',
      server: 'Servidor',
      product: 'Produto',
      decision: 'Decisão',
      scope: (server: string, product: string) => `${server}: ${product}`,
      allServers: 'Todos os servidores',
      allProducts: 'Todos os produtos',
      empty: 'Nenhuma regra: uma pessoa decide tudo',
      emptyText:
        'Uma regra serve para o que você sempre decide do mesmo jeito, como reembolsos em um servidor de testes.',
      remove: 'Remover',
      removeTitle: 'Remover esta regra?',
      removeText:
        'Daí em diante, essas entregas esperam na mesa por uma pessoa. O que foi decidido continua valendo.',
      removed: 'A regra foi removida',
      set: 'Definir a regra',
      setText: 'A regra também decide o que espera na mesa agora. Isso não pode ser desfeito.',
      replaces: 'Já existe uma regra para isto; esta toma o lugar dela.',
      hasSet: 'A regra foi definida',
      decisions: {
        delivered: 'Considerar como recebida',
        'send-again': 'Enviar de novo',
        refund: 'Reembolsar',
      },
      decisionTexts: {
        delivered: 'Nada é enviado e nenhum ponto se move. Quem não recebeu precisa pedir.',
        'send-again':
          'É enviada mais uma vez; depois disso uma pessoa decide. Se já tinha chegado, o jogador fica com duas.',
        refund: 'Os pontos voltam. Se já tinha chegado, o jogador fica com o item de graça.',
      },
    },
  },
);

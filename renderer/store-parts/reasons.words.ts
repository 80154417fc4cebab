import { reasons } from '#contracts/reasons.ts';
import { defineWords } from '../language/define-words.ts';

/** What the API says by itself, in the reader's language. */
export const reasonsWords = defineWords(reasons, {
  'player-away': 'O jogador não está em nenhum dos servidores onde isto pode ser dado.',
  'server-away': 'O servidor, ou o agente de jogo dele, está fora.',
  'survivor-number': 'O número do sobrevivente do jogador neste servidor não é conhecido.',
  'player-unlisted': 'O jogo não lista mais o jogador.',
  'game-silent': 'O jogo não responde.',
  lost: 'Não dá para saber se chegou.',
  refused: 'O jogo recusou de vez.',
  expired: 'Não foi possível entregar a tempo.',
  restored: 'O banco de dados foi restaurado; pode ter sido enviado depois daquele backup.',
  'refunded-by-decision': 'Reembolsado por decisão.',
  'refunded-with-order': 'Reembolsado com o pedido.',

  gave: 'O jogo diz que deu os itens.',
  dropped: 'O jogo diz que deixou os itens aos pés do jogador.',
  'player-absent': 'O jogador não está no servidor.',
  'no-such-item': 'Este item não existe.',
  'item-data-unknown': 'O item tem dados que o jogo não conhece.',
  'item-data-unreadable': 'O item tem dados que o jogo não consegue ler.',
  'too-many-at-once': 'O jogo não dá tantos de uma vez.',
  'amount-refused': 'O jogo não aceita esta quantidade.',
  'amount-or-quality-refused': 'O jogo não aceita esta quantidade ou qualidade.',
  'command-unknown': 'O jogo não conhece este comando.',
  'command-misread': 'O jogo não entende este comando.',
  'id-kind-unknown': 'O jogo não conhece ids deste tipo.',
  'name-ambiguous': 'O jogo conhece vários jogadores com este nome.',
  'guard-unknown': 'O jogo não conhece os comandos que protegem uma entrega.',
  'guard-silent': 'O jogo não deu nada desta vez: já tinha dado isto, foi retirado, ou o jogador está fora.',
  'answer-empty': 'O jogo não respondeu nada, o que não prova nada.',
  'answer-too-long': 'O jogo respondeu mais do que este comando jamais responde.',
  'answer-uncertain': 'O jogo respondeu, mas não com certeza sobre este comando.',
  'answer-unknown': 'O jogo respondeu algo que não se sabe se é sucesso ou falha.',
  'reply-success': 'A resposta é uma que o produto considera sucesso.',
  'reply-failure': 'A resposta é uma que o produto considera falha.',
  'reply-both': 'A resposta é ao mesmo tempo de sucesso e de falha.',
  'reply-failure-by-name': 'A resposta só parece falha por causa do nome do jogador.',
  'reply-unnamed': 'O produto não indica nenhuma resposta que prove o sucesso.',
  'reply-unknown': 'O jogo respondeu algo que o produto não conhece.',

  'no-such-product': 'Este produto não existe.',
  archived: 'Está no arquivo.',
  disabled: 'Está desligado.',
  'no-server': 'Não há servidor em uso onde isto possa ser dado.',
  'receiver-unseen': 'Quem recebe ainda não tem jogador.',
  'survivor-number-first':
    'O ARK dá itens pelo número do sobrevivente, que o jogo mostra aos administradores, e não pelo id da Steam ou da EOS. Ele não é conhecido para este jogador.',
  'game-id-first':
    'O 7 Days to Die precisa do id de entidade ou de plataforma do jogador, que não é conhecido.',
  'name-first': 'O Minecraft precisa do nome do jogador, que não é conhecido.',

  'not-at-desk': 'Não está mais na mesa.',
  'record-away':
    'O jogo tem um registro disto e não pode ser consultado agora; decida quando ele responder de novo.',
  'has-arrived': 'O jogo diz que chegou; está resolvido agora.',
  'was-refunded': 'Já tinha sido reembolsado.',
  'refunded-not-sent': 'Foi reembolsado; não é enviado de novo.',
  'was-not-refunded': 'Não foi reembolsado.',
  'too-few-points': 'O membro tem pontos de menos agora.',
});

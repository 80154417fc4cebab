import type { Language } from '#contracts/language.ts';
import { type CodedReason, reasonOf, reasons, reasonWithin } from '#contracts/reasons.ts';
import { defineWords, type InWords } from './define-words.ts';
import { storefrontReasonsWords } from './storefront-reasons.words.ts';

/** What the API says by itself, in the reader's language. */
export const reasonsWords = defineWords(reasons, {
  'player-away': 'O jogador não está em nenhum dos servidores onde isto pode ser dado.',
  'server-away': 'O servidor, ou o agente de jogo dele, está fora.',
  'survivor-number': 'O número do sobrevivente do jogador neste servidor não é conhecido.',
  'survivor-number-why': (why) => `O número do sobrevivente do jogador não foi encontrado: ${why}`,
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

  'lasting-counter-command': 'O que dura precisa de um comando que o retire no fim.',
  'lasting-key-twice': 'Outra linha deste produto tem o mesmo nome do que dura.',
  'taking-lost': 'Não dá para saber se o jogo recebeu o comando.',
  'taking-refused': 'O jogo recusou o comando todas as vezes.',
  'taking-impossible': 'O comando não pode mais ser montado: o que se sabia do jogador foi apagado.',
  'taking-archived': 'O servidor dele está no arquivo.',
  'taking-waits':
    'Ainda não foi retirado no jogo: o servidor está fora do ar, ou o jogo não aceitou o comando.',

  'role-no-account': 'Quem recebe não vinculou uma conta do Discord.',
  'role-not-on-server': 'Quem recebe não está no servidor do Discord.',
  'role-bot-away': 'O bot do Discord está fora.',
  'role-members-unlisted': 'O bot do Discord ainda não informou todos os membros do servidor do Discord.',
  'role-permission-missing': 'Falta ao bot a permissão “Gerenciar cargos” no servidor do Discord.',
  'role-unknown': 'O servidor do Discord não tem este cargo.',
  'role-everyone': 'Todos no servidor do Discord têm este cargo.',
  'role-managed':
    'O próprio Discord gerencia este cargo: ele é de um bot, de uma integração ou de quem impulsiona.',
  'role-dangerous':
    'Este cargo pode gerenciar o servidor do Discord ou os membros dele, por isso nunca é dado automaticamente.',
  'role-above-bot':
    'Este cargo não está abaixo do cargo mais alto do bot, por isso o Discord não deixa o bot dá-lo.',
  'role-has-rights': 'Este cargo dá direitos no Castellan, por isso nunca é dado automaticamente.',
  'role-is-given':
    'Este cargo é dado por uma regra ou vendido na loja, por isso não pode dar direitos: eles poderiam ser comprados.',
  'role-refused': 'O Discord recusou a alteração do cargo.',

  'no-such-product': 'Este produto não existe.',
  'lasting-not-again': 'Ele dá algo que dura, o que uma nova temporada não dá de novo.',
  'piece-too-large': 'Uma só unidade é mais do que um pedido pode conter.',
  'member-erased': 'O membro foi apagado.',
  'step-failed': 'Falhou e será tentado de novo.',
  archived: 'Está no arquivo.',
  disabled: 'Está desligado.',
  'no-server': 'Não há servidor em uso onde isto possa ser dado.',
  'receiver-unseen': 'Quem recebe ainda não tem jogador.',
  'survivor-number-first':
    'O ARK dá itens pelo número do sobrevivente, que o jogo mostra aos administradores, e não pelo id da Steam ou da EOS. Ele não é conhecido para este jogador.',
  'game-id-first':
    'O 7 Days to Die precisa do id de entidade ou de plataforma do jogador, que não é conhecido.',
  'name-first': 'O Minecraft precisa do nome do jogador, que não é conhecido.',

  'text-not-plain': 'Contém caracteres que não são texto.',
  'command-too-long': (bytes, most) => `É longo demais: ${bytes} bytes, e o jogo aceita no máximo ${most}.`,
  'amount-range': (most) => `A quantidade precisa ser um número inteiro de 1 a ${most}.`,
  'quality-range': (least, most) => `A qualidade precisa ser um número inteiro de ${least} a ${most}.`,
  'minecraft-no-quality': 'Itens do Minecraft não têm qualidade.',
  'minecraft-item-shape': 'Itens do Minecraft têm a forma minecraft:iron_ingot.',
  'minecraft-item-data': 'Depois do item só podem vir [componentes] ou {dados}, completos.',
  'item-too-long': (most) => `O item tem mais de ${most} caracteres.`,
  'ark-item-shape':
    "Itens do ARK são um número ou um caminho como Blueprint'/Game/…/PrimalItem_X.PrimalItem_X'.",
  'seven-days-item-shape': 'Itens têm a forma gunHandgunT1Pistol: uma palavra, sem espaços.',
  'no-give-command': 'Este jogo não tem um comando que dê itens.',

  'minecraft-name-shape': 'Este não é o nome de um jogador de Minecraft.',
  'minecraft-uuid-shape': 'Este não é o UUID de um jogador de Minecraft.',
  'ark-name-like-id': 'O nome do jogador parece um id; use {platformId}.',
  'ark-id-shape': 'Este não é o id de um jogador de ARK.',
  'ark-platform-id-first': 'O ARK precisa do id da Steam ou da EOS do jogador, que não é conhecido.',
  'ark-platform-id-shape': 'Este não é um id da Steam nem da EOS.',
  'seven-days-name-unusable': 'O console não aceita este nome; é preciso o id de entidade ou de plataforma.',
  'seven-days-name-like-id': 'Este nome parece um id; é preciso o id de entidade ou de plataforma.',
  'seven-days-platform-id-first':
    'O 7 Days to Die precisa do id de plataforma do jogador, que não é conhecido.',

  'template-without-command': 'Um modelo começa com um comando, não com um valor.',
  'placeholder-unknown': (name) => `Modelos não conhecem {${name}}.`,
  'placeholder-missing': (name) => `O modelo precisa de {${name}}, que não é conhecido.`,
  'quantity-shape': 'A quantidade precisa ser um número inteiro positivo.',
  'order-id-shape': 'Este não é o id de um pedido.',
  'survivor-number-shape': 'Este não é o número de um sobrevivente.',
  'name-unsafe': 'O nome do jogador tem caracteres que o console poderia ler errado; use {platformId}.',
  'name-within-word':
    'O nome do jogador tem espaços e está dentro de uma palavra do modelo; ponha um espaço ao redor.',

  'line-invalid': (line, why) => `A linha ${line} não pode ser dada: ${why}`,
  'line-fault': (line, why) => `Linha ${line}: ${why}`,
  'item-unconfirmed':
    'O jogo nunca diz que um item não existe. Faça um pedido de teste, procure o item no jogo e confirme que chegou.',
  'item-unknown': 'O item não está em nenhuma lista; o jogo pode não conhecê-lo.',
  'item-listed': 'O item já está na lista.',
  'sale-backwards': 'A venda termina antes de começar.',
  'price-backwards': (place) => `O preço ${place} da programação termina antes de começar.`,
  'price-overlap': (place, other) => `Os preços ${place} e ${other} da programação coincidem.`,
  'bundle-mixed': 'Um pacote contém produtos e nada mais.',
  'bundle-servers': 'Um pacote não pode indicar servidores: cada produto dele é dado nos seus.',
  'bundle-repeats': 'O pacote já contém este produto.',
  'bundle-part-game': 'O produto é de outro jogo que o do pacote.',
  'bundle-part-bundle': 'O produto é um pacote, e um pacote não pode conter outro.',
  'bundle-holds-this': (name) =>
    `O pacote “${name}” contém este produto, que por isso não pode virar um pacote nem mudar de jogo.`,
  'bundle-part-unfit': (name, why) => `Contém “${name}”, que não pode ser dado: ${why}`,
  'bundle-part-stopped': (name, why) => `Contém “${name}”, que parou de ser vendido sozinho: ${why}`,
  'bundle-part-unconfirmed': (name) =>
    `Contém “${name}”, que tem um item que ninguém viu chegar: primeiro faça um pedido de teste desse produto.`,
  'short-code-taken': (code) => `Outro produto tem o código curto ${code}.`,
  'server-unfit': (place) => `O servidor ${place} da lista não está em uso ou é de outro jogo.`,
  'cluster-unfit': (place) => `O cluster ${place} da lista não tem nenhum servidor deste jogo em uso.`,
  'stopped-selling': (why) => `Parou de ser vendido sozinho: ${why}`,
  'import-not-text': 'O arquivo não é um texto UTF-8.',
  'import-not-json': 'O JSON não é válido aqui.',
  'import-name-twice': 'Este nome aparece duas vezes no mesmo objeto.',
  'import-too-deep': 'Isto está aninhado demais.',
  'import-format': (format) => `Este não é um arquivo de produtos: o formato deve ser “${format}”.`,
  'import-version': (version) => `Este arquivo é de outra versão: aqui o Castellan lê a versão ${version}.`,
  'import-list': 'Aqui se espera uma lista de produtos.',
  'import-too-many': (count, most) => `O arquivo tem ${count} produtos, e no máximo ${most} são aceitos.`,
  'import-field-unknown': 'O Castellan não conhece este campo.',
  'import-value': (why) => `Este valor não serve: ${why}`,
  'import-id-twice': 'Este id aparece duas vezes no arquivo.',
  'import-no-server': (name) => `Nenhum servidor “${name}” deste jogo está em uso.`,
  'import-no-cluster': (name) => `Nenhum cluster “${name}” com um servidor deste jogo está em uso.`,
  'no-such-member': 'Este membro não existe.',

  'mods-too-many': (count, most) => `O servidor teria ${count} mods, e são possíveis no máximo ${most}.`,
  'mods-no-space': (needed, free) => `A alteração precisa de ${needed}, e o disco tem ${free} livres.`,
  'mods-too-large': 'A alteração é grande demais para uma só vez; faça-a em partes.',
  'mods-adopt-file': 'Só é possível adotar um arquivo, não uma pasta.',
  'mods-contradict': 'O que ele exige se contradiz.',
  'mods-needs-unknown': (source) =>
    `Não foi possível consultar em ${source} o que os mods instalados exigem.`,
  'mods-updates-unknown': (source) => `Não foi possível consultar as atualizações em ${source}.`,
  'mods-unproven': 'O agente de jogo informa sucesso, mas não comprovou quais mods o servidor tem agora.',
  'mods-lost': 'O agente de jogo não conhece mais esta alteração.',
  'mods-archived': 'O servidor de jogo foi arquivado.',
  'mods-not-begun': (hours) => `Não foi possível começar em ${hours} horas.`,
  'mods-right-lost': (name) => `${name} não pode mais alterar os mods deste servidor.`,
  'mods-proof-lost': 'Não se sabe mais o que o primeiro servidor comprovou.',
  'mods-set-changed': 'O conjunto foi alterado ou excluído nesse meio-tempo.',
  'mods-not-running': 'Ele tem os mods novos, mas o jogo estava parado, então não foram comprovados.',
  'mods-blocked': 'Não foi possível começar.',
  'mods-blocked-by': (mods) => `Não foi possível começar por causa de ${mods}.`,
  'mods-change-cancelled': 'A alteração dele foi cancelada.',
  'mods-not-started': 'O jogo não iniciou com os mods novos.',
  'mods-other-failed': 'Outro servidor falhou antes dele.',
  'mods-rest-cancelled': 'As atualizações foram canceladas.',

  'cancelled-by': (name) => `Cancelado por ${name}.`,
  'cancelled-by-operator': 'Cancelado por um operador.',
  'no-such-delivery': 'Esta entrega não existe.',
  'under-way': 'Está sendo enviado.',
  'restored-uncertain':
    'O banco de dados foi restaurado, e isto pode ter sido enviado depois daquele backup; agora espera na mesa.',
  'restored-away':
    'O banco de dados foi restaurado, e o jogo, que tem um registro disto, não pode ser consultado agora; tente de novo.',
  'not-at-desk': 'Não está mais na mesa.',
  'record-away':
    'O jogo tem um registro disto e não pode ser consultado agora; decida quando ele responder de novo.',
  'has-arrived': 'O jogo diz que chegou; está resolvido agora.',
  'was-refunded': 'Já tinha sido reembolsado.',
  'refunded-not-sent': 'Foi reembolsado; não é enviado de novo.',
  'was-not-refunded': 'Não foi reembolsado.',
  'too-few-points': 'O membro tem pontos de menos agora.',

  ...storefrontReasonsWords['pt-BR'],
});

type ReasonWords = InWords<typeof reasons>;

/** A sentence of the API in a language, read from its text; what has no code stays as it was said. */
export const wordReason = (said: string, language: Language): string =>
  reasonText(reasonsWords[language], reasonOf(said), said);

/** The `detail` of a problem, which may name a product first; null for what has no code. */
export const wordDetail = (detail: string, language: Language): string | null => {
  const { name, text, reason } = reasonWithin(detail);
  if (reason === null) return null;
  const worded = reasonText(reasonsWords[language], reason, text);
  return name === '' ? worded : `${name}: ${worded}`;
};

/** A reason in the reader's language; what has no code stays as it was said. */
export const reasonText = (words: ReasonWords, reason: CodedReason, said: string): string => {
  if (reason === null) return said;
  const phrase: string | ((...values: string[]) => string) = words[reason.code];
  if (typeof phrase === 'string') return phrase;
  return phrase(...reason.values.map((value) => reasonText(words, reasonOf(value), value)));
};

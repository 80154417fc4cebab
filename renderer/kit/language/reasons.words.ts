import { consoleReasonsPtBr } from '#contracts/kernel/console-reasons-pt-br.ts';
import type { Language } from '#contracts/kernel/language.ts';
import { outsideReasonsPtBr } from '#contracts/kernel/outside-reasons-pt-br.ts';
import {
  type CodedReason,
  reasonOf,
  reasons,
  reasonWithin,
  sentencesWithin,
} from '#contracts/kernel/reasons.ts';
import { defineWords, type InWords } from '#contracts/kernel/words.ts';
import { healthReasonsPtBr } from '#contracts/operations/health-reasons-pt-br.ts';
import { storefrontReasonsWords } from './storefront-reasons.words.ts';

/** The API's own sentences, in the reader's language. */
export const reasonsWords = defineWords(reasons, {
  'player-away': 'O jogador não está em um servidor onde isto pode ser entregue.',
  'server-away': 'O servidor ou o agente de jogo dele está offline.',
  'survivor-number': 'O número do sobrevivente do jogador neste servidor é desconhecido.',
  'survivor-number-why': (why) => `O número do sobrevivente do jogador não foi encontrado: ${why}`,
  'player-unlisted': 'O jogo não lista mais o jogador.',
  'game-silent': 'O jogo não está respondendo.',
  lost: 'Pode ter chegado ou não.',
  refused: 'O jogo rejeitou.',
  expired: 'Expirou antes de poder ser entregue.',
  restored: 'O banco de dados foi restaurado; pode ter sido enviado depois daquele backup.',
  'refunded-by-decision': 'Reembolsado por decisão.',
  'refunded-with-order': 'Reembolsado com o pedido.',

  gave: 'O jogo confirmou que deu os itens.',
  dropped: 'O jogo confirmou que deixou os itens aos pés do jogador.',
  'player-absent': 'O jogador não está no servidor.',
  'no-such-item': 'O jogo não conhece este item.',
  'item-data-unknown': 'O item tem dados que o jogo não conhece.',
  'item-data-unreadable': 'O item tem dados que o jogo não consegue ler.',
  'too-many-at-once': 'O jogo não dá tantos de uma vez.',
  'amount-refused': 'O jogo não aceita esta quantidade.',
  'amount-or-quality-refused': 'O jogo não aceita esta quantidade ou qualidade.',
  'command-unknown': 'O jogo não conhece este comando.',
  'command-misread': 'O jogo não entende este comando.',
  'id-kind-unknown': 'O jogo não aceita este tipo de ID.',
  'name-ambiguous': 'Vários jogadores no jogo têm este nome.',
  'guard-unknown': 'O jogo não conhece os comandos que evitam uma segunda entrega.',
  'guard-silent': 'O jogo não deu nada desta vez: já tinha dado, foi cancelado, ou o jogador está offline.',
  'answer-empty': 'O jogo enviou uma resposta vazia, o que não prova nada.',
  'answer-too-long': 'A resposta do jogo é mais longa do que este comando permite.',
  'answer-uncertain': 'O jogo respondeu, mas talvez não a este comando.',
  'answer-unknown': 'A resposta do jogo não indica sucesso nem falha.',
  'reply-empty':
    'O jogo não respondeu nada. Um plug-in que trabalha depois, como o LuckPerms, só responde no log, que vale onde um agente de jogo o lê e o comando diz o nome do jogador.',
  'reply-success': 'A resposta corresponde a uma que confirma o sucesso.',
  'reply-failure': 'A resposta corresponde a uma que indica falha.',
  'reply-both': 'A resposta corresponde a sucesso e a falha.',
  'reply-failure-by-name': 'A resposta só indica falha por causa do nome do jogador.',
  'reply-unnamed': 'O produto não tem uma resposta que confirme o sucesso.',
  'reply-unknown': 'A resposta não corresponde a nenhuma das respostas do produto.',

  'lasting-counter-command': 'Uma compra por tempo precisa de um comando de remoção.',
  'lasting-key-twice': 'Outra parte deste produto tem o mesmo nome em comum.',
  'taking-lost': 'Não está claro se o jogo recebeu o comando.',
  'taking-refused': 'O jogo rejeitou o comando todas as vezes.',
  'taking-impossible': 'O comando não pode mais ser montado, porque os dados do jogador foram apagados.',
  'taking-archived': 'O servidor está arquivado.',
  'taking-waits': 'Ainda não removido do jogo: o servidor está offline, ou o jogo não aceitou o comando.',

  'role-no-account': 'O destinatário não vinculou uma conta do Discord.',
  'role-rules-first': 'O destinatário ainda não aceitou as regras do servidor do Discord.',
  'role-not-on-server': 'O destinatário não está no servidor do Discord.',
  'role-bot-away': 'O bot do Discord está offline.',
  'role-guild-unavailable': 'O Discord está com problemas no servidor do Discord.',
  'role-members-unlisted': 'O bot do Discord ainda está carregando os membros do servidor do Discord.',
  'role-permission-missing': 'Falta ao bot a permissão “Gerenciar cargos” no servidor do Discord.',
  'role-unknown': 'Este cargo não existe no servidor do Discord.',
  'role-everyone': 'Todos no servidor do Discord têm este cargo.',
  'role-managed':
    'O Discord gerencia este cargo: ele é de um bot, de uma integração ou de quem impulsiona o servidor.',
  'role-dangerous':
    'Este cargo pode gerenciar o servidor do Discord ou os membros dele, por isso nunca é dado automaticamente.',
  'role-above-bot':
    'Este cargo não está abaixo do cargo mais alto do bot, por isso o Discord não deixa o bot dá-lo.',
  'role-has-rights': 'Este cargo tem permissões no Castellan, por isso nunca é dado automaticamente.',
  'role-is-given':
    'Este cargo é dado por uma regra ou vendido na loja, por isso não pode ter permissões: elas poderiam ser compradas.',
  'role-refused': 'O Discord rejeitou a alteração do cargo.',

  'no-such-product': 'Este produto não existe.',
  'lasting-not-again': 'Uma nova temporada não restaura compras por tempo.',
  'piece-too-large': 'Uma unidade passa do limite de um pedido.',
  'member-erased': 'O membro foi apagado.',
  'step-failed': 'Falhou e será tentado de novo.',
  archived: 'Está arquivado.',
  disabled: 'Está desativado.',
  'no-server': 'Nenhum servidor em uso pode entregá-lo.',
  'receiver-unseen': 'O destinatário ainda não tem jogador.',
  'receiver-unseen-in': (game) => `O destinatário ainda não foi visto em ${game}.`,
  'survivor-number-first':
    'O ARK entrega itens pelo número do sobrevivente (o ID de jogador que o jogo mostra aos administradores), não pelo ID da Steam ou da EOS. O deste jogador é desconhecido.',
  'game-id-first':
    'O 7 Days to Die precisa do ID de entidade ou de plataforma do jogador, que é desconhecido.',
  'name-first': 'O Minecraft precisa do nome do jogador, que é desconhecido.',

  'text-not-plain': 'Contém caracteres que não são texto.',
  'command-too-long': (bytes, most) => `É longo demais: ${bytes} bytes; o jogo aceita no máximo ${most}.`,
  'amount-range': (most) => `A quantidade precisa ser um número inteiro de 1 a ${most}.`,
  'quality-range': (least, most) => `A qualidade precisa ser um número inteiro de ${least} a ${most}.`,
  'minecraft-no-quality': 'Itens do Minecraft não têm qualidade.',
  'minecraft-item-shape': 'Itens do Minecraft têm a forma minecraft:iron_ingot.',
  'minecraft-item-data': 'Depois do item só podem vir [componentes] ou {dados} completos.',
  'item-too-long': (most) => `O item tem mais de ${most} caracteres.`,
  'ark-item-shape':
    "Itens do ARK são um número ou um caminho como Blueprint'/Game/…/PrimalItem_X.PrimalItem_X'.",
  'seven-days-item-shape': 'Itens têm a forma gunHandgunT1Pistol: uma palavra, sem espaços.',
  'no-give-command': 'Este jogo não tem um comando que dê itens.',

  'bedrock-whitelist': (command) =>
    `O Minecraft não conhece um jogador Bedrock com este nome. Com o Floodgate, execute no console: ${command}`,
  'bedrock-ban':
    'A lista de banimentos do Minecraft só encontra um jogador Bedrock por alguns dias depois de ele jogar, e nenhum nome com espaços. Faça o banimento enquanto o jogador está no servidor ou use um plug-in de banimentos.',
  'bedrock-unban':
    'A lista de banimentos do Minecraft só encontra um jogador Bedrock por alguns dias depois de ele jogar, e nenhum nome com espaços. Para retirar o banimento, pare o servidor e remova a entrada de banned-players.json.',
  'minecraft-name-shape': 'Este não é um nome de jogador do Minecraft.',
  'minecraft-uuid-shape': 'Este não é o UUID de um jogador de Minecraft.',
  'ark-name-like-id': 'O nome do jogador parece um ID. Use {platformId}.',
  'ark-id-shape': 'Este não é o ID de um jogador de ARK.',
  'ark-platform-id-first': 'O ARK precisa do ID da Steam ou da EOS do jogador, que é desconhecido.',
  'ark-platform-id-shape': 'Este não é um ID da Steam nem da EOS.',
  'seven-days-name-unusable': 'O console não aceita este nome. É preciso o ID de entidade ou de plataforma.',
  'seven-days-name-like-id': 'Este nome parece um ID. É preciso o ID de entidade ou de plataforma.',
  'seven-days-platform-id-first':
    'O 7 Days to Die precisa do ID de plataforma do jogador, que é desconhecido.',

  'palworld-id-first':
    'O Palworld precisa do ID de usuário do jogador, como steam_7656…, que é desconhecido.',
  'template-without-command': 'Comece com um comando, não com um marcador.',
  'placeholder-unknown': (name) => `O marcador {${name}} não existe.`,
  'placeholder-missing': (name) => `O comando precisa de {${name}}, que é desconhecido.`,
  'quantity-shape': 'A quantidade precisa ser um número inteiro positivo.',
  'order-id-shape': 'Este não é um número de pedido.',
  'survivor-number-shape': 'Este não é um número de sobrevivente.',
  'name-unsafe': 'O console poderia ler errado caracteres do nome do jogador. Use {platformId}.',
  'name-within-word':
    'O nome do jogador tem espaços e está dentro de uma palavra do comando. Ponha espaços ao redor dele.',

  'line-invalid': (line, why) => `A parte ${line} não pode ser entregue: ${why}`,
  'line-fault': (line, why) => `Parte ${line}: ${why}`,
  'item-unconfirmed':
    'O jogo não informa itens inexistentes. Faça um pedido de teste, confira no jogo e confirme que o item chegou.',
  'item-unknown': 'O item não está na lista, então o jogo pode não conhecê-lo.',
  'item-listed': 'O item já está na lista.',
  'sale-backwards': 'A venda termina antes de começar.',
  'price-backwards': (place) => `O preço ${place} da programação termina antes de começar.`,
  'price-overlap': (place, other) => `Os preços ${place} e ${other} da programação coincidem.`,
  'bundle-mixed': 'Um pacote só pode conter produtos.',
  'bundle-servers': 'Um pacote não pode ter servidores: cada produto dele é entregue nos seus.',
  'bundle-repeats': 'O pacote já contém este produto.',
  'bundle-part-game': 'O produto é de outro jogo que o pacote.',
  'bundle-part-bundle': 'O produto é um pacote, e pacotes não podem conter pacotes.',
  'bundle-holds-this': (name) =>
    `O pacote “${name}” contém este produto, que por isso não pode virar um pacote nem mudar de jogo.`,
  'bundle-part-unfit': (name, why) => `Contém “${name}”, que não pode ser entregue: ${why}`,
  'bundle-part-stopped': (name, why) => `Contém “${name}”, que foi pausado automaticamente: ${why}`,
  'bundle-part-unconfirmed': (name) =>
    `Contém “${name}”, que tem um item não confirmado: primeiro faça um pedido de teste dele.`,
  'bundle-part-approval-ended': (name) => `Contém “${name}”, cujos comandos precisam ser aprovados de novo.`,
  'command-right':
    'Os comandos rodam no console: escrevê-los ou aprová-los exige a permissão console.write em todos os servidores do produto.',
  'command-unapproved': 'Ninguém aprovou este comando ainda.',
  'command-approval-ended':
    'Quem aprovou este comando não pode mais usar o console ali. Outra pessoa precisa aprová-lo.',
  'short-code-taken': (code) => `Outro produto tem o código curto ${code}.`,
  'server-unfit': (place) => `O servidor ${place} da lista está arquivado ou é de outro jogo.`,
  'cluster-unfit': (place) => `O cluster ${place} da lista não tem nenhum servidor deste jogo em uso.`,
  'stopped-selling': (why) => `Pausado automaticamente: ${why}`,
  'import-not-text': 'O arquivo não é um texto UTF-8.',
  'import-not-json': 'Isto não é JSON válido.',
  'import-name-twice': 'Este nome aparece duas vezes no mesmo objeto.',
  'import-too-deep': 'Isto está aninhado demais.',
  'import-format': (format) => `Este não é um arquivo de produtos: o formato deve ser “${format}”.`,
  'import-version': (version) => `Este arquivo tem outra versão. O Castellan aceita a versão ${version}.`,
  'import-list': 'Aqui deve haver uma lista de produtos.',
  'import-too-many': (count, most) => `O arquivo tem ${count} produtos; o limite é ${most}.`,
  'import-field-unknown': 'Este campo não existe.',
  'import-value': (why) => `Este valor não é válido: ${why}`,
  'import-id-twice': 'Este ID aparece duas vezes no arquivo.',
  'import-no-server': (name) => `Este jogo não tem um servidor “${name}” em uso.`,
  'import-no-cluster': (name) => `Nenhum cluster “${name}” tem um servidor deste jogo em uso.`,
  'no-such-member': 'Este membro não existe.',

  'mods-too-many': (count, most) => `O servidor teria ${count} mods; o limite é ${most}.`,
  'mods-no-space': (needed, free) =>
    `A alteração precisa de ${needed} de espaço em disco; há ${free} livres.`,
  'mods-too-large': 'A alteração é grande demais. Divida-a em alterações menores.',
  'mods-adopt-file': 'Só é possível adotar um arquivo, não uma pasta.',
  'mods-left-out-players': (files) => `Só para jogadores: ${files}`,
  'mods-left-out-names': (files) => `Nomes que nem todo sistema aceita: ${files}`,
  'mods-contradict': 'As dependências dele se contradizem.',
  'mods-needs-unknown': (source) =>
    `Não foi possível carregar de ${source} as dependências dos mods instalados.`,
  'mods-updates-unknown': (source) => `Não foi possível carregar as atualizações de ${source}.`,
  'mods-unproven': 'O agente de jogo informa sucesso, mas não confirmou quais mods o servidor tem.',
  'mods-lost': 'O agente de jogo não conhece mais esta alteração.',
  'mods-archived': 'O servidor de jogo foi arquivado.',
  'mods-not-begun': (hours) => `Não começou em ${hours} horas.`,
  'restore-right-lost': (name) => `${name} não pode mais restaurar os mundos deste servidor.`,
  'mods-right-lost': (name) => `${name} não pode mais alterar os mods deste servidor.`,
  'mods-proof-lost': 'Os resultados do primeiro servidor não são mais conhecidos.',
  'mods-set-changed': 'O conjunto foi alterado ou excluído nesse meio-tempo.',
  'mods-not-running': 'Ele tem os mods novos, mas sem teste, porque o jogo estava parado.',
  'mods-blocked': 'Não foi possível começar.',
  'mods-blocked-by': (mods) => `Não foi possível começar por causa de ${mods}.`,
  'mods-change-cancelled': 'A alteração foi cancelada.',
  'mods-not-started': 'O jogo não iniciou com os mods novos.',
  'mods-other-failed': 'Outro servidor falhou antes.',
  'mods-rest-cancelled': 'As atualizações restantes foram canceladas.',

  'ban-until-past': 'O fim do banimento está no passado.',
  'ban-over': 'Este banimento já expirou.',
  'ban-needs-everywhere': 'Você precisa da permissão players.write em todos os servidores do jogo.',
  'ban-needs-server': 'Você precisa da permissão players.write em todos os servidores do banimento.',
  'ban-games-differ': 'Os servidores são de jogos diferentes.',
  'ban-player-erased': 'Os dados do jogador foram apagados.',

  'cancelled-by': (name) => `Cancelado por ${name}.`,
  'cancelled-by-operator': 'Cancelado pela linha de comando.',
  'no-such-delivery': 'Esta entrega não existe.',
  'under-way': 'Está sendo enviado.',
  'restored-uncertain':
    'O banco de dados foi restaurado, e isto pode ter sido enviado depois daquele backup. Agora espera na mesa de decisões.',
  'restored-away':
    'O banco de dados foi restaurado, e o jogo que tem um registro disto não está respondendo. Tente de novo.',
  'not-at-desk': 'Não está mais na mesa de decisões.',
  'record-away':
    'O jogo que tem um registro disto não está respondendo. Decida quando ele responder de novo.',
  'has-arrived': 'O jogo confirmou que chegou, então está resolvido.',
  'was-refunded': 'Já tinha sido reembolsado.',
  'refunded-not-sent': 'Foi reembolsado, então não é enviado de novo.',
  'was-not-refunded': 'Não foi reembolsado.',
  'too-few-points': 'O membro não tem pontos suficientes.',

  ...storefrontReasonsWords['pt-BR'],
  ...consoleReasonsPtBr,
  ...healthReasonsPtBr,
  ...outsideReasonsPtBr,
});

type ReasonWords = InWords<typeof reasons>;

/** A sentence of the API in a language, recognised from its text; one without a code stays unchanged. */
export const wordReason = (said: string, language: Language): string =>
  reasonText(reasonsWords[language], reasonOf(said), said);

/** The `detail` of a problem or a state: one sentence after another, or a product's name first; null for text without a code. */
export const wordDetail = (detail: string, language: Language): string | null => {
  const sentences = sentencesWithin(detail);
  if (sentences)
    return sentences.map(({ text, reason }) => reasonText(reasonsWords[language], reason, text)).join(' ');
  const { name, text, reason } = reasonWithin(detail);
  if (reason === null) return null;
  const worded = reasonText(reasonsWords[language], reason, text);
  return name === '' ? worded : `${name}: ${worded}`;
};

/** A reason in the reader's language; one without a code stays unchanged. */
export const reasonText = (words: ReasonWords, reason: CodedReason, said: string): string => {
  if (reason === null) return said;
  const phrase: string | ((...values: string[]) => string) = words[reason.code];
  if (typeof phrase === 'string') return phrase;
  return phrase(...reason.values.map((value) => reasonText(words, reasonOf(value), value)));
};

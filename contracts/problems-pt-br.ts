import type { ProblemCode } from './problems.ts';

export interface ProblemTexts {
  readonly title: string;
  readonly meaning: string;
  readonly remedy: string;
}

/** The problems of contracts/problems.ts in Brazilian Portuguese, in the same order. */
export const problemsPtBr: Readonly<Record<ProblemCode, ProblemTexts>> = {
  UNAUTHORIZED: {
    title: 'Licença não aceita',
    meaning: 'A chave é desconhecida, a licença não está ativa ou o token não comprova o proprietário dela.',
    remedy: 'Compare a chave com a do e-mail de compra; se estiver certa, fale com o vendedor.',
  },
  HWID_MISMATCH: {
    title: 'Licença vinculada a outra máquina',
    meaning: 'A licença está vinculada a uma máquina com outro ID de hardware.',
    remedy: 'Transfira a licença na área do cliente: Licença, Transferir HWID.',
  },
  REVOKED: {
    title: 'Licença revogada',
    meaning: 'O vendedor revogou esta licença em definitivo, por exemplo depois de um reembolso.',
    remedy: 'Compre uma nova licença ou, se for um engano, fale com o vendedor.',
  },
  SUSPENDED: {
    title: 'Licença suspensa',
    meaning: 'O vendedor suspendeu esta licença por um tempo.',
    remedy: 'Fale com o vendedor; a instalação se recupera sozinha assim que a licença for reativada.',
  },
  EXPIRED: {
    title: 'Licença vencida',
    meaning: 'A data de validade da licença já passou.',
    remedy: 'Renove a licença; a instalação se recupera sozinha.',
  },
  LICENSE_REQUIRED: {
    title: 'Nenhuma licença ativada',
    meaning: 'Ainda não foi ativada nenhuma licença nesta máquina.',
    remedy: 'Ative uma no assistente de licença ou com: castellan license activate',
  },
  LICENSE_GRACE_ENDED: {
    title: 'Licença não confirmada a tempo',
    meaning: 'O portal não pôde ser consultado por mais tempo do que os dias de carência permitem.',
    remedy: 'Restabeleça a conexão com o portal e depois use: castellan license check',
  },
  LICENSE_WRONG_ENVIRONMENT: {
    title: 'Licença de outro ambiente',
    meaning: 'O token foi assinado por uma chave que LICENSE_SERVER_PUBLIC_KEY não reconhece.',
    remedy: 'Use o LICENSE_SERVER_PUBLIC_KEY e o LICENSE_SERVER_URL que vieram com esta versão.',
  },
  LICENSE_RECORD_UNUSABLE: {
    title: 'Registro da licença não serve nesta máquina',
    meaning: 'O license.json foi copiado de outra máquina, foi editado ou o hardware mudou demais.',
    remedy: 'Ative a licença de novo; se o hardware mudou, transfira o HWID antes.',
  },
  HWID_UNAVAILABLE: {
    title: 'Nenhum ID de hardware utilizável',
    meaning: 'A máquina não mostra nenhum identificador ao qual uma licença possa ser vinculada.',
    remedy: 'Em uma máquina virtual, defina um machine id ou SMBIOS UUID único e inicie de novo.',
  },
  CLOCK_ROLLED_BACK: {
    title: 'Relógio atrasado',
    meaning: 'O relógio desta máquina está mais de 10 minutos atrás do horário do último token de licença.',
    remedy: 'Acerte o relógio; a licença se recupera sozinha.',
  },
  CLUSTER_LIMIT: {
    title: 'Limite de clusters atingido',
    meaning: 'A licença não permite mais clusters.',
    remedy: 'Arquive um cluster ou faça upgrade da licença.',
  },
  FORBIDDEN: {
    title: 'Não permitido',
    meaning: 'Quem fez o pedido é conhecido, mas não pode fazer isto.',
    remedy: 'Peça a permissão a um proprietário.',
  },
  PERSON_REQUIRED: {
    title: 'Somente para pessoas',
    meaning:
      'Chaves de API e o bot do Discord não criam contas, funções, chaves nem redefinições, seja o que for que possam fazer.',
    remedy: 'Entre como pessoa ou use o desktop ou o comando castellan na própria máquina.',
  },
  STEP_UP_REQUIRED: {
    title: 'Confirme que é você',
    meaning:
      'Isto exige a sua senha ou um código do segundo fator mais uma vez, há no máximo 10 minutos; no desktop, uma confirmação ali mesmo.',
    remedy:
      'Faça de novo e confirme quando for perguntado. Scripts enviam antes a senha ou um código a POST /api/me/step-up com a mesma sessão.',
  },
  UNAUTHENTICATED: {
    title: 'Entre primeiro',
    meaning: 'O pedido não traz uma credencial válida ou não vem desta própria máquina.',
    remedy: 'Entre na sua conta ou faça o pedido na própria máquina, sem proxy.',
  },
  CROSS_ORIGIN: {
    title: 'Pedido de outro site',
    meaning: 'Um navegador enviou este pedido com o cookie dele, mas não de uma página desta instalação.',
    remedy:
      'Use o próprio painel; scripts enviam um bearer token. Alterações por cookie precisam de Origin ' +
      '(ou Sec-Fetch-Site) deste host e de Content-Type: application/json.',
  },
  WRONG_CREDENTIALS: {
    title: 'Nome, senha ou código incorreto',
    meaning:
      'Nenhum administrador habilitado tem este nome e esta senha, ou o código está errado, já foi usado ' +
      'ou está fora do prazo.',
    remedy:
      'Tente de novo; um proprietário, ou castellan admin reset-password na própria máquina, pode definir ' +
      'uma nova senha.',
  },
  SETUP_LINK_INVALID: {
    title: 'Link de configuração inválido',
    meaning: 'O link não é o mais recente ou o primeiro proprietário já existe.',
    remedy: 'Use o link do setup-link.txt na pasta home; se o arquivo não existir, entre na sua conta.',
  },
  NAME_TAKEN: {
    title: 'Nome já em uso',
    meaning:
      'Já existe outro com este nome, ou com um que parece igual; maiúsculas e minúsculas contam como iguais.',
    remedy: 'Escolha outro nome.',
  },
  LAST_OWNER: {
    title: 'O último proprietário',
    meaning: 'A alteração não deixaria nenhum proprietário que possa entrar.',
    remedy: 'Antes, torne outro administrador proprietário.',
  },
  ROLE_IN_USE: {
    title: 'Função em uso',
    meaning: 'Há administradores com esta função, em geral ou em um servidor.',
    remedy: 'Antes, dê a eles outra função.',
  },
  TRANSFER_REFUSED: {
    title: 'A licença não pode ser transferida agora',
    meaning:
      'A licença não está ativa ou não está vinculada, já está nesta máquina, ou a transferência gratuita ' +
      'dos últimos 30 dias já foi usada.',
    remedy:
      'O detalhe diz qual é o caso e quando a próxima transferência é gratuita; o vendedor pode liberar ' +
      'uma antes.',
  },
  TOTP_STATE: {
    title: 'A verificação em duas etapas não está nesse estado',
    meaning: 'Ela já está ativada, não está ativada ou o cadastro não foi iniciado.',
    remedy: 'Veja o estado em GET /api/me e comece de novo.',
  },
  SERVER_ARCHIVED: {
    title: 'Arquivado',
    meaning: 'O servidor, ou o cluster dele, está no arquivo: pode ser lido, mas não usado nem alterado.',
    remedy: 'Antes, restaure-o do arquivo.',
  },
  CLUSTER_NOT_EMPTY: {
    title: 'O cluster não está vazio',
    meaning: 'O cluster ainda contém servidores em uso.',
    remedy: 'Antes, arquive os servidores ou mova-os para outro cluster.',
  },
  NO_SUCH_COMMAND: {
    title: 'O jogo não consegue fazer isto',
    meaning: 'O jogo deste servidor não tem este comando, ou não para este jogador ou estes valores.',
    remedy: 'O detalhe diz o que falta, como um Steam ID.',
  },
  INSUFFICIENT_POINTS: {
    title: 'Pontos insuficientes',
    meaning: 'A carteira do membro tem menos pontos do que isto exige; nada foi alterado.',
    remedy: 'Dê pontos antes, ou compre menos.',
  },
  PRODUCT_NOT_FOR_SALE: {
    title: 'Não está à venda',
    meaning:
      'O produto está desativado, arquivado, fora do período de venda, parado por uma entrega que falhou, ou tem um item que ninguém confirmou ainda.',
    remedy: 'O detalhe diz qual é o caso; altere ou libere o produto na loja.',
  },
  LIMIT_REACHED: {
    title: 'Limite atingido',
    meaning: 'Quem recebe já comprou ou ganhou tanto deste produto quanto os limites permitem por enquanto.',
    remedy: 'O detalhe diz qual limite é e quando volta a haver espaço.',
  },
  OUT_OF_STOCK: {
    title: 'Sem estoque',
    meaning: 'Restam menos unidades deste produto do que foi pedido; nada foi cobrado.',
    remedy: 'Peça menos, ou aumente o estoque na loja.',
  },
  PRICE_CHANGED: {
    title: 'O preço mudou',
    meaning: 'O pedido custa agora outro valor do que se esperava; nada foi cobrado.',
    remedy: 'Veja a prévia de novo e peça pelo novo preço.',
  },
  MEMBER_GONE: {
    title: 'Membro unido ou apagado',
    meaning: 'O membro foi unido a outro, ou apagado, nesse meio-tempo; nada foi alterado.',
    remedy: 'Leia o membro de novo: um membro unido leva ao que ficou.',
  },
  MERGE_REFUSED: {
    title: 'Não é possível unir',
    meaning:
      'Os dois são o mesmo membro, ambos têm uma conta do Discord, ou a união não pode mais ser desfeita.',
    remedy: 'O detalhe diz qual é o caso.',
  },
  LINK_CODE_INVALID: {
    title: 'Código inválido',
    meaning: 'O código está errado, já foi usado ou tem mais de dez minutos.',
    remedy: 'Peça um novo código e digite-o dentro de dez minutos.',
  },
  DISCORD_NOT_LINKED: {
    title: 'Conta do Discord não vinculada',
    meaning: 'Nenhum jogador está vinculado à conta do Discord: não há carteira nem a quem entregar.',
    remedy: 'Vincule um jogador com `/link` no Discord.',
  },
  RECEIVER_NOT_LINKED: {
    title: 'Destinatário não vinculado',
    meaning: 'Nenhum jogador está vinculado à conta do Discord que receberia isto; nada foi cobrado.',
    remedy: 'Peça que a pessoa vincule antes um jogador com `/link` no Discord.',
  },
  PRODUCT_INVALID: {
    title: 'Produto impossível',
    meaning: 'Uma linha do produto não pode ser dada pelo jogo, ou seus servidores não são desse jogo.',
    remedy: 'Corrija a linha que o detalhe indica.',
  },
  PICTURE_INVALID: {
    title: 'Imagem que não pode ser usada',
    meaning: 'O arquivo não é PNG, JPEG nem WebP, está danificado, é grande demais ou tem pixels demais.',
    remedy: 'Use um PNG, JPEG ou WebP de no máximo 512 KiB e 2.048 pixels por lado.',
  },
  IDEMPOTENCY_MISMATCH: {
    title: 'Chave usada em outro pedido',
    meaning: 'Este chamador usou a Idempotency-Key em um pedido com outro conteúdo.',
    remedy: 'Use uma chave nova para cada pedido; envie o mesmo conteúdo com a mesma chave.',
  },
  IDEMPOTENCY_KEY_INVALID: {
    title: 'Idempotency-Key inutilizável',
    meaning: 'O cabeçalho está vazio, tem mais de 200 caracteres ou caracteres que não são ASCII imprimível.',
    remedy: 'Envie uma chave aleatória, como um UUID.',
  },
  DELIVERY_STATE: {
    title: 'Não está nesse estado',
    meaning: 'A entrega já terminou, pode já ter sido enviada ou foi reembolsada; nada foi alterado.',
    remedy: 'Leia a entrega de novo; o que ninguém sabe como terminou se decide no balcão.',
  },
  JOB_STATE: {
    title: 'Tarefa em outro estado',
    meaning:
      'Só tarefas que esperam ou falharam podem ser canceladas ou tentadas de novo, e nenhuma entrega reembolsada é tentada de novo.',
    remedy: 'Leia a tarefa de novo.',
  },
  AGENT_PROOF_WRONG: {
    title: 'Agente de jogo não comprovado',
    meaning: 'A prova não usa o segredo compartilhado desta instalação ou não é da chave apresentada.',
    remedy: 'Coloque o GAME_AGENT_SECRET do arquivo .env no config.json do agente como `secret`.',
  },
  AGENT_NONCE_INVALID: {
    title: 'Nonce inválido',
    meaning: 'O nonce é antigo demais, já foi usado ou foi emitido antes de a API reiniciar.',
    remedy: 'Peça um novo em POST /api/game-agent/challenge e faça a prova de novo.',
  },
  AGENT_SERVER_UNKNOWN: {
    title: 'Servidor de jogo não existe',
    meaning: 'O agente indica um servidor que não existe ou está no arquivo.',
    remedy: 'Copie o ID do servidor do painel para o config.json do agente como `serverId`.',
  },
  AGENT_GAME_MISMATCH: {
    title: 'Outro jogo',
    meaning: 'O agente roda junto de um jogo diferente do que o painel tem para este servidor.',
    remedy: 'Compare `game` no config.json do agente com o servidor no painel.',
  },
  AGENT_KEY_MISMATCH: {
    title: 'Outro agente é conhecido para este servidor',
    meaning:
      'O servidor já tem um agente com outra chave: é uma máquina nova ou uma cópia que se passa por ele.',
    remedy: 'Se este agente deve tomar o lugar dele, escolha "substituir agente" no painel.',
  },
  AGENT_SUPERSEDED: {
    title: 'Outro agente assumiu',
    meaning: 'Uma conexão mais nova com a mesma chave tomou o lugar desta.',
    remedy: 'Pare um dos dois: a mesma configuração está rodando duas vezes.',
  },
  AGENT_TLS_REQUIRED: {
    title: 'TLS obrigatório para este agente',
    meaning: 'O agente vem de outra máquina sem TLS, o que as configurações não permitem.',
    remedy: 'Dê um certificado à API ou permita agentes sem TLS em Configurações, Agentes de jogo.',
  },
  AGENT_THROTTLED: {
    title: 'Provas erradas demais',
    meaning: 'Este endereço apresentou provas erradas vezes demais. As certas ainda são aceitas.',
    remedy: 'Corrija o segredo no config.json do agente e espere o tempo que Retry-After indica.',
  },
  AGENT_VERSION_UNSUPPORTED: {
    title: 'Versão do protocolo desconhecida',
    meaning: 'O agente fala uma versão do protocolo que esta API não fala.',
    remedy: 'Use o agente que veio com esta versão do Castellan.',
  },
  AGENT_FRAME_INVALID: {
    title: 'Frame não compreendido',
    meaning: 'Um frame não é JSON, é grande demais ou não tem um formato documentado.',
    remedy: 'Compare-o com o protocolo; o detalhe indica o campo.',
  },
  WEBHOOK_SIGNATURE_INVALID: {
    title: 'Webhook não assinado pelo gateway',
    meaning:
      'O cabeçalho de assinatura está faltando, foi feito com outro segredo, para outro conteúdo ou a mais ' +
      'de 5 minutos do nosso relógio.',
    remedy:
      'Compare o segredo de assinatura no gateway com o PURCHASE_WEBHOOK_SECRET_… do portal, e os relógios ' +
      'das duas máquinas.',
  },
  INVALID_REQUEST: {
    title: 'Pedido não compreendido',
    meaning: 'O caminho, a consulta ou o conteúdo não tem o formato documentado.',
    remedy: 'Corrija os campos que `errors` indica.',
  },
  NOT_FOUND: {
    title: 'Não encontrado',
    meaning: 'Não há nada neste endereço.',
    remedy: 'Confira o endereço.',
  },
  METHOD_NOT_ALLOWED: {
    title: 'Método não permitido',
    meaning: 'O endereço existe, mas não aceita este método.',
    remedy: 'Use um dos métodos do cabeçalho Allow.',
  },
  CONFLICT: {
    title: 'Alterado por outra pessoa',
    meaning: 'Houve uma alteração depois da versão em que esta se baseou; nada foi salvo.',
    remedy: 'Leia de novo e refaça a alteração.',
  },
  RUN_AS_SERVICES: {
    title: 'Executado como serviços do Windows',
    meaning:
      'O Castellan desta pasta roda como serviços do Windows; só eles podem ser parados e reiniciados.',
    remedy: 'Use castellan services start, stop ou restart, como administrador.',
  },
  SECRET_UNREADABLE: {
    title: 'Segredo ilegível',
    meaning:
      'Um segredo guardado está cifrado com uma chave que não está configurada, ou o conteúdo cifrado ' +
      'está danificado.',
    remedy:
      'Coloque a chave antiga em CONFIG_ENCRYPTION_KEY_PREVIOUS e reinicie, ou digite o segredo de novo.',
  },
  LOG_UNREADABLE: {
    title: 'Arquivos de log ilegíveis',
    meaning: 'A conta que executa a API não consegue ler os arquivos de log ou a pasta onde eles estão.',
    remedy:
      'Dê a essa conta o direito de ler a pasta logs da pasta home e o que há nela; o log da API diz qual é o arquivo.',
  },
  REQUEST_TIMEOUT: {
    title: 'Pedido não terminou a tempo',
    meaning: 'Um pedido começou e o resto não chegou: 10 s para os cabeçalhos, 30 s para o pedido inteiro.',
    remedy: 'Envie o pedido de novo por uma conexão mais rápida.',
  },
  PAYLOAD_TOO_LARGE: {
    title: 'Pedido grande demais',
    meaning: 'O conteúdo é maior do que este endereço aceita.',
    remedy: 'Envie menos.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    title: 'JSON esperado',
    meaning: 'O conteúdo não está declarado como application/json em UTF-8.',
    remedy: 'Envie JSON com o cabeçalho Content-Type: application/json.',
  },
  HEADERS_TOO_LARGE: {
    title: 'Cabeçalhos grandes demais',
    meaning: 'O endereço e os cabeçalhos do pedido somam mais de 16 KiB.',
    remedy: 'Envie menos cabeçalhos; no navegador, apague os cookies deste site.',
  },
  RATE_LIMITED: {
    title: 'Pedidos demais',
    meaning: 'Este endereço fez pedidos vezes demais.',
    remedy: 'Espere o tempo que Retry-After indica.',
  },
  BACKUP_IMPOSSIBLE: {
    title: 'Backup impossível aqui',
    meaning: 'Os arquivos do banco de dados não podem ser lidos de onde a API roda.',
    remedy: 'Faça o backup na máquina e com a conta em que o banco de dados roda.',
  },
  TLS_REQUIRED: {
    title: 'TLS obrigatório',
    meaning: 'A API tem um certificado e só responde a HTTP sem TLS na própria máquina.',
    remedy: 'Use https. Troque qualquer senha ou chave que tenha sido enviada sem criptografia.',
  },
  INTERNAL: {
    title: 'Algo deu errado',
    meaning: 'Uma falha inesperada; a causa está no log, sob o ID do pedido.',
    remedy: 'Tente de novo; se continuar, envie o diagnóstico com o ID do pedido.',
  },
  DATABASE_UNAVAILABLE: {
    title: 'Banco de dados fora do ar',
    meaning: 'O banco de dados não responde no momento.',
    remedy: 'Ele está sendo reiniciado; tente de novo daqui a pouco.',
  },
  API_UNAVAILABLE: {
    title: 'API fora do ar',
    meaning: 'O supervisor está rodando, mas a API por trás dele não responde.',
    remedy: 'Veja castellan status; ela está sendo iniciada ou falhou pelo motivo mostrado ali.',
  },
  DISK_FULL: {
    title: 'Disco cheio',
    meaning: 'Um disco desta máquina está sem espaço, e nada pode ser salvo. O que já foi salvo está seguro.',
    remedy: 'Libere espaço no disco indicado ou mova a pasta de dados para um maior; tudo volta sozinho.',
  },
  SHUTTING_DOWN: {
    title: 'Encerrando',
    meaning: 'O processo está parando e não aceita trabalho novo.',
    remedy: 'Tente de novo daqui a pouco.',
  },
};

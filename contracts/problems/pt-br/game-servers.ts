import type { gameServerProblems } from '../game-servers.ts';
import type { ProblemTexts } from '../problem-entry.ts';

export const gameServerProblemsPtBr: Readonly<Record<keyof typeof gameServerProblems, ProblemTexts>> = {
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
  POWER_AGENT_AWAY: {
    title: 'Sem agente de jogo',
    meaning:
      'Só um agente ao lado do jogo pode ligá-lo e desligá-lo, e nenhum está conectado a este servidor.',
    remedy: 'Instale um agente para o servidor ou inicie o que já existe.',
  },
  POWER_AGENT_TOO_OLD: {
    title: 'Agente de jogo antigo demais',
    meaning: 'O agente deste servidor ainda não sabe ligar e desligar o jogo.',
    remedy: 'Instale o agente que esta versão do Castellan oferece.',
  },
  POWER_NOT_ALLOWED: {
    title: 'Não permitido na máquina do jogo',
    meaning: 'A máquina em que o jogo roda não permite que o Castellan o ligue e desligue.',
    remedy:
      'Execute `castellan-agent setup` nessa máquina e permita, ou defina `"allow": { "power": true }` no config.json do agente.',
  },
  POWER_UNMANAGED: {
    title: 'Não se sabe como o jogo inicia',
    meaning: 'Nada na máquina do jogo diz qual comando, serviço ou unidade inicia o jogo.',
    remedy: 'Execute `castellan-agent setup` nessa máquina e diga como o jogo inicia.',
  },
  POWER_BUSY: {
    title: 'Outra ação em andamento',
    meaning: 'O servidor já está sendo ligado, desligado ou reiniciado.',
    remedy: 'Espere até que isso termine ou cancele durante a contagem; nada foi feito.',
  },
  POWER_NOT_CANCELLABLE: {
    title: 'Tarde demais para cancelar',
    meaning: 'A ação terminou, ou o jogo já recebeu a ordem de parar.',
    remedy: 'Espere o fim; depois, ligue o servidor se ele deve rodar.',
  },
  SAVES_AGENT_AWAY: {
    title: 'Sem agente de jogo',
    meaning:
      'Só um agente ao lado do jogo pode fazer backup dos mundos e restaurá-los, e nenhum está conectado a este servidor.',
    remedy: 'Instale um agente para o servidor ou inicie o que já existe.',
  },
  SAVES_AGENT_TOO_OLD: {
    title: 'Agente de jogo antigo demais',
    meaning: 'O agente deste servidor ainda não sabe fazer isto com os mundos.',
    remedy: 'Instale o agente que esta versão do Castellan oferece.',
  },
  SAVES_FOLDER_UNKNOWN: {
    title: 'Pasta do jogo desconhecida',
    meaning: 'Nada na máquina do jogo diz em que pasta está o servidor de jogo.',
    remedy: 'Execute `castellan-agent setup` nessa máquina e informe a pasta.',
  },
  SAVES_NOT_ALLOWED: {
    title: 'Não permitido na máquina do jogo',
    meaning: 'A máquina em que o jogo roda não permite que o Castellan substitua seus arquivos.',
    remedy:
      'Execute `castellan-agent setup` nessa máquina e permita, ou defina `"allow": { "files": true }` no config.json do agente.',
  },
  SAVES_GAME_RUNNING: {
    title: 'O jogo está em execução',
    meaning: 'Os mundos só podem ser substituídos com o jogo parado.',
    remedy: 'Desligue o servidor e depois restaure o backup.',
  },
  SAVES_UNCONFIRMED: {
    title: 'Uma restauração espera sua decisão',
    meaning: 'Um backup foi restaurado, e os mundos de antes continuam guardados ao lado dele.',
    remedy: 'Confira o jogo e depois mantenha os mundos restaurados ou desfaça a restauração.',
  },
  SAVES_NAME_MISMATCH: {
    title: 'O nome é diferente',
    meaning: 'O nome digitado não é o do servidor.',
    remedy: 'Digite o nome do servidor como ele aparece.',
  },
  SAVES_BUSY: {
    title: 'Outra ação está em andamento',
    meaning: 'Os mundos deste servidor já estão sendo copiados ou restaurados.',
    remedy: 'Espere essa ação terminar ou cancele-a; nada foi feito.',
  },
  SAVES_NOT_CANCELLABLE: {
    title: 'Tarde demais para cancelar',
    meaning: 'A ação terminou, ou os mundos já trocaram de lugar.',
    remedy: 'Espere o fim; depois a restauração pode ser desfeita.',
  },
  CONSOLE_HISTORY_AWAY: {
    title: 'Linhas anteriores fora de alcance',
    meaning:
      'Um agente ao lado do jogo guarda as linhas anteriores, e nenhum que saiba fazer isso responde por este servidor.',
    remedy: 'Inicie o agente do servidor ou instale o que esta versão do Castellan oferece.',
  },
  AGENT_PROOF_WRONG: {
    title: 'Agente de jogo não comprovado',
    meaning: 'A prova não usa o segredo compartilhado desta instalação ou não é da chave apresentada.',
    remedy:
      'Registre o agente no painel ou, se o servidor não tem um agente registrado, coloque o GAME_AGENT_SECRET do arquivo .env no config.json dele como `secret`.',
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
  AGENT_UPLOAD_UNWANTED: {
    title: 'Envio não esperado',
    meaning: 'Nenhuma tarefa em andamento deste agente espera o que ele envia.',
    remedy: 'Nada precisa ser feito: inicie a tarefa de novo no painel se o resultado dela faltar.',
  },
  AGENT_UPLOAD_OUT_OF_ORDER: {
    title: 'Parte de um envio fora de ordem',
    meaning: 'As partes de um envio vêm uma depois da outra, e esta não segue a última.',
    remedy: 'Comece o envio de novo pela primeira parte.',
  },
  AGENT_UPLOADS_FULL: {
    title: 'Envios demais ao mesmo tempo',
    meaning: 'Os agentes de jogo estão enviando ao mesmo tempo mais do que a API guarda.',
    remedy: 'Espere outras tarefas terminarem e inicie a tarefa de novo.',
  },
  AGENT_ENROLMENT_REFUSED: {
    title: 'Registro recusado',
    meaning:
      'Este registro não existe, ou o pedido não foi feito com o código dele ou pela chave apresentada.',
    remedy: 'Copie de novo a linha inteira do painel ou peça lá um código novo.',
  },
  AGENT_ENROLMENT_ENDED: {
    title: 'O código não vale mais',
    meaning: 'O código tem mais de 15 minutos, foi cancelado, ou um mais novo foi criado.',
    remedy: 'Peça um código novo no painel e cole a linha dele.',
  },
  AGENT_ENROLMENT_USED: {
    title: 'O código já foi usado',
    meaning: 'Outro agente já foi registrado com este código. Um código registra um agente.',
    remedy: 'Se não foi você, peça logo um código novo no painel: ele substitui aquele agente.',
  },
  AGENT_DOWNLOAD_MISSING: {
    title: 'O programa do agente não está lá',
    meaning: 'Esta instalação do Castellan não tem este arquivo para entregar ou ainda o está criando.',
    remedy: 'Tente de novo em um minuto. Se continuar faltando, instale o Castellan outra vez.',
  },
};

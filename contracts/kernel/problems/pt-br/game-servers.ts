import type { gameServerProblems } from '../game-servers.ts';
import type { ProblemTexts } from '../problem-entry.ts';

export const gameServerProblemsPtBr: Readonly<Record<keyof typeof gameServerProblems, ProblemTexts>> = {
  SERVER_ARCHIVED: {
    title: 'Arquivado',
    meaning: 'O servidor ou o cluster dele está arquivado: você pode vê-lo, mas não usá-lo nem alterá-lo.',
    remedy: 'Restaure-o primeiro.',
  },
  SERVER_ADDRESS_TAKEN: {
    title: 'Servidor já adicionado',
    meaning: 'Outro servidor tem este host e esta porta, talvez escritos de outra forma.',
    remedy: 'Abra esse servidor ou corrija o host ou a porta.',
  },
  CLUSTER_NOT_EMPTY: {
    title: 'O cluster não está vazio',
    meaning: 'O cluster ainda contém servidores em uso.',
    remedy: 'Primeiro arquive-os ou mova-os para outro cluster.',
  },
  NO_SUCH_COMMAND: {
    title: 'Não disponível neste jogo',
    meaning: 'O jogo não oferece isto, ou não para este jogador ou estes valores.',
    remedy: 'Acrescente o que falta, como um Steam ID.',
  },
  POWER_AGENT_AWAY: {
    title: 'Agente de jogo não conectado',
    meaning: 'O jogo é ligado e desligado por um agente de jogo, e nenhum está conectado para este servidor.',
    remedy: 'Inicie o agente de jogo do servidor, ou configure um.',
  },
  POWER_AGENT_TOO_OLD: {
    title: 'Agente de jogo desatualizado',
    meaning: 'Esta versão do agente de jogo não consegue ligar e desligar o jogo.',
    remedy: 'Instale o agente de jogo que vem com esta versão do Castellan.',
  },
  POWER_NOT_ALLOWED: {
    title: 'Não permitido na máquina do jogo',
    meaning: 'A máquina do jogo não permite que o Castellan ligue e desligue o jogo.',
    remedy:
      'Execute `castellan-agent setup` nessa máquina e permita, ou defina `"allow": { "power": true }` no config.json do agente de jogo.',
  },
  POWER_UNMANAGED: {
    title: 'Comando de início desconhecido',
    meaning: 'O agente de jogo não sabe qual comando ou serviço inicia o jogo.',
    remedy: 'Execute `castellan-agent setup` nessa máquina e informe como o jogo inicia.',
  },
  POWER_BUSY: {
    title: 'Outra ação em andamento',
    meaning: 'O servidor já está sendo ligado, desligado ou reiniciado. Nada mais foi feito.',
    remedy: 'Espere até que termine, ou cancele durante a contagem regressiva.',
  },
  POWER_NOT_CANCELLABLE: {
    title: 'Tarde demais para cancelar',
    meaning: 'A ação terminou, ou o jogo já está parando.',
    remedy: 'Espere até que termine e ligue o servidor de novo.',
  },
  SAVES_AGENT_AWAY: {
    title: 'Agente de jogo não conectado',
    meaning:
      'O backup e a restauração dos mundos são feitos por um agente de jogo, e nenhum está conectado para este servidor.',
    remedy: 'Inicie o agente de jogo do servidor, ou configure um.',
  },
  SAVES_AGENT_TOO_OLD: {
    title: 'Agente de jogo desatualizado',
    meaning: 'Esta versão do agente de jogo não consegue fazer isto com os mundos.',
    remedy: 'Instale o agente de jogo que vem com esta versão do Castellan.',
  },
  SAVES_FOLDER_UNKNOWN: {
    title: 'Pasta do servidor desconhecida',
    meaning: 'O agente de jogo não conhece a pasta do servidor de jogo.',
    remedy: 'Execute `castellan-agent setup` nessa máquina e informe a pasta.',
  },
  SAVES_NOT_ALLOWED: {
    title: 'Não permitido na máquina do jogo',
    meaning: 'A máquina do jogo não permite que o Castellan substitua arquivos dela.',
    remedy:
      'Execute `castellan-agent setup` nessa máquina e permita, ou defina `"allow": { "files": true }` no config.json do agente de jogo.',
  },
  SAVES_SCHEDULE_NOT_ALLOWED: {
    title: 'Não permitido na máquina do jogo',
    meaning: 'A máquina do jogo não deixa o Castellan agendar backups dos mundos.',
    remedy: 'Execute `castellan-agent allow --backups yes` nessa máquina.',
  },
  SAVES_GAME_RUNNING: {
    title: 'O jogo está em execução',
    meaning: 'Os mundos só podem ser substituídos com o jogo parado.',
    remedy: 'Desligue o servidor e depois restaure o backup.',
  },
  SAVES_UNCONFIRMED: {
    title: 'Uma restauração espera sua decisão',
    meaning: 'Um backup foi restaurado, e os mundos anteriores continuam guardados.',
    remedy: 'Confira o jogo e depois mantenha os mundos restaurados ou desfaça a restauração.',
  },
  SAVES_NAME_MISMATCH: {
    title: 'O nome não coincide',
    meaning: 'Você digitou outro nome.',
    remedy: 'Digite o nome do servidor exatamente como aparece.',
  },
  SAVES_BUSY: {
    title: 'Outra ação está em andamento',
    meaning: 'O backup ou a restauração dos mundos deste servidor já está em andamento. Nada mais foi feito.',
    remedy: 'Espere até que termine, ou cancele.',
  },
  SAVES_NOT_CANCELLABLE: {
    title: 'Tarde demais para cancelar',
    meaning: 'A ação terminou, ou os mundos já foram substituídos.',
    remedy: 'Espere até que termine. Depois você pode desfazer uma restauração.',
  },
  CONSOLE_HISTORY_AWAY: {
    title: 'Linhas anteriores não disponíveis',
    meaning:
      'As linhas anteriores são guardadas pelo agente de jogo, que não está conectado ou está desatualizado.',
    remedy: 'Inicie o agente de jogo do servidor, ou instale o que vem com esta versão do Castellan.',
  },
  AGENT_PROOF_WRONG: {
    title: 'Agente de jogo não verificado',
    meaning:
      'O agente de jogo usa outro segredo compartilhado ou outra chave do que esta instalação conhece.',
    remedy:
      'Configure o agente de jogo no painel, ou defina `secret` no config.json dele com o GAME_AGENT_SECRET do arquivo .env.',
  },
  AGENT_NONCE_INVALID: {
    title: 'Nonce inválido',
    meaning: 'O nonce é antigo demais, já foi usado ou foi emitido antes de a API reiniciar.',
    remedy: 'Peça um novo em POST /api/game-agent/challenge e faça a prova de novo.',
  },
  AGENT_SERVER_UNKNOWN: {
    title: 'Servidor de jogo não encontrado',
    meaning: 'O agente de jogo indica um servidor que não existe ou está arquivado.',
    remedy: 'Copie o ID do servidor do painel para o config.json do agente de jogo como `serverId`.',
  },
  AGENT_GAME_MISMATCH: {
    title: 'Jogo diferente',
    meaning: 'O agente de jogo roda outro jogo do que este servidor tem no painel.',
    remedy: 'Compare `game` no config.json do agente de jogo com o servidor no painel.',
  },
  AGENT_KEY_MISMATCH: {
    title: 'Outro agente de jogo pertence a este servidor',
    meaning:
      'O servidor já tem um agente de jogo com outra chave. Este está em uma máquina nova, ou é uma cópia.',
    remedy: 'Para usar este agente de jogo, escolha “Substituir agente de jogo” no painel.',
  },
  AGENT_SUPERSEDED: {
    title: 'Outro agente de jogo assumiu',
    meaning: 'Uma conexão mais nova com a mesma chave substituiu esta.',
    remedy: 'Pare um dos dois: eles rodam com a mesma configuração.',
  },
  AGENT_TLS_REQUIRED: {
    title: 'Conexão criptografada obrigatória',
    meaning: 'O agente de jogo se conecta de outra máquina sem TLS, o que as configurações não permitem.',
    remedy:
      'Configure um certificado, ou permita agentes de jogo sem criptografia em Configurações, Agentes de jogo.',
  },
  AGENT_THROTTLED: {
    title: 'Tentativas demais sem sucesso',
    meaning:
      'Agentes de jogo neste endereço não comprovaram o segredo vezes demais. Provas corretas ainda são aceitas.',
    remedy: 'Corrija o segredo no config.json do agente de jogo e espere o tempo que Retry-After indica.',
  },
  AGENT_VERSION_UNSUPPORTED: {
    title: 'Versão do agente de jogo não aceita',
    meaning: 'O agente de jogo usa uma versão do protocolo que esta API não aceita.',
    remedy: 'Use o agente de jogo que vem com esta versão do Castellan.',
  },
  AGENT_FRAME_INVALID: {
    title: 'Mensagem inválida',
    meaning: 'Uma mensagem não é JSON válido, é grande demais ou não segue o protocolo.',
    remedy: 'Compare-a com o protocolo.',
  },
  AGENT_UPLOAD_UNWANTED: {
    title: 'Envio não esperado',
    meaning: 'Nenhuma tarefa em andamento deste agente de jogo espera este envio.',
    remedy: 'Se faltar um resultado, inicie a tarefa de novo no painel.',
  },
  AGENT_UPLOAD_OUT_OF_ORDER: {
    title: 'Envio fora de ordem',
    meaning: 'Uma parte do envio não segue a anterior.',
    remedy: 'Comece o envio de novo.',
  },
  AGENT_UPLOADS_FULL: {
    title: 'Envios demais',
    meaning: 'Os agentes de jogo estão enviando mais ao mesmo tempo do que a API aceita.',
    remedy: 'Espere outras tarefas terminarem e inicie a tarefa de novo.',
  },
  AGENT_ENROLMENT_REFUSED: {
    title: 'Configuração rejeitada',
    meaning: 'O comando de configuração está incompleto, ou o código dele está errado.',
    remedy: 'Copie o comando inteiro do painel de novo, ou crie um novo.',
  },
  AGENT_ENROLMENT_ENDED: {
    title: 'O comando de configuração expirou',
    meaning: 'O comando tem mais de 15 minutos, foi cancelado ou substituído por um mais novo.',
    remedy: 'Crie um novo comando no painel.',
  },
  AGENT_ENROLMENT_USED: {
    title: 'O comando de configuração já foi usado',
    meaning: 'Outro agente de jogo foi configurado com este comando. Cada comando vale uma vez.',
    remedy: 'Se não foi você, crie agora um novo comando no painel: ele substitui aquele agente de jogo.',
  },
  AGENT_DOWNLOAD_MISSING: {
    title: 'Agente de jogo não disponível',
    meaning: 'Esta instalação não tem o agente de jogo para este sistema, ou ainda o está preparando.',
    remedy: 'Tente de novo em um minuto. Se continuar faltando, reinstale o Castellan.',
  },
};

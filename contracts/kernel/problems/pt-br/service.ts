import type { ProblemTexts } from '../problem-entry.ts';
import type { serviceProblems } from '../service.ts';

export const serviceProblemsPtBr: Readonly<Record<keyof typeof serviceProblems, ProblemTexts>> = {
  INVALID_REQUEST: {
    title: 'Algo não é válido',
    meaning: 'Um valor está faltando ou não é válido.',
    remedy: 'Confira os campos destacados.',
  },
  NOT_FOUND: {
    title: 'Não encontrado',
    meaning: 'Não há nada neste endereço. Pode ter sido removido.',
    remedy: 'Confira o endereço.',
  },
  METHOD_NOT_ALLOWED: {
    title: 'Método não permitido',
    meaning: 'O endereço existe, mas não aceita este método.',
    remedy: 'Use um dos métodos do cabeçalho Allow.',
  },
  CONFLICT: {
    title: 'Alterado por outra pessoa',
    meaning: 'Houve uma alteração depois que você abriu isto. Nada foi salvo.',
    remedy: 'Recarregue e faça a sua alteração de novo.',
  },
  RUN_AS_SERVICES: {
    title: 'Executado como serviços do Windows',
    meaning:
      'O Castellan desta pasta roda como serviços do Windows; só eles podem ser parados e reiniciados.',
    remedy: 'Use castellan services start, stop ou restart, como administrador.',
  },
  SECRET_UNREADABLE: {
    title: 'Segredo ilegível',
    meaning: 'Um segredo guardado foi cifrado com uma chave que não está configurada, ou está danificado.',
    remedy:
      'Coloque a chave antiga em CONFIG_ENCRYPTION_KEY_PREVIOUS e reinicie, ou digite o segredo de novo.',
  },
  LOG_UNREADABLE: {
    title: 'Arquivos de log ilegíveis',
    meaning: 'A conta que executa a API não consegue ler os arquivos de log ou a pasta deles.',
    remedy:
      'Dê a essa conta acesso de leitura à pasta logs da pasta de dados. O log da API diz qual é o arquivo.',
  },
  REQUEST_TIMEOUT: {
    title: 'O pedido demorou demais',
    meaning: 'O pedido não chegou completo em 10 s para os cabeçalhos e 30 s para o todo.',
    remedy: 'Envie o pedido de novo por uma conexão mais rápida.',
  },
  PAYLOAD_TOO_LARGE: {
    title: 'Grande demais',
    meaning: 'Isto é maior do que o Castellan aceita aqui.',
    remedy: 'Envie menos, ou envie em partes.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    title: 'JSON esperado',
    meaning: 'O conteúdo não está declarado como application/json em UTF-8.',
    remedy: 'Envie JSON com o cabeçalho Content-Type: application/json.',
  },
  HEADERS_TOO_LARGE: {
    title: 'Cabeçalhos grandes demais',
    meaning: 'O endereço e os cabeçalhos do pedido somam mais de 64 KiB.',
    remedy:
      'Envie menos cabeçalhos; no navegador, apague os cookies deste site. Em localhost, todos os programas os compartilham: 127.0.0.1 tem os seus.',
  },
  RATE_LIMITED: {
    title: 'Pedidos demais',
    meaning: 'Vieram pedidos demais daqui em pouco tempo.',
    remedy: 'Espere um momento e tente de novo.',
  },
  BACKUP_IMPOSSIBLE: {
    title: 'Backup impossível aqui',
    meaning: 'A API não consegue ler os arquivos do banco de dados de onde ela roda.',
    remedy: 'Faça o backup na máquina e com a conta que executa o banco de dados.',
  },
  BACKUP_UNREADABLE: {
    title: 'Não é possível ler o backup',
    meaning: 'O disco ou a pasta do backup não deixa lê-lo.',
    remedy: 'Escolha outro backup ou verifique o disco em que eles estão.',
  },
  BACKUP_DOWNLOADS_BUSY: {
    title: 'Outros backups estão sendo baixados',
    meaning: 'Dois downloads de backups estão em andamento, e cada um ocupa um processador.',
    remedy: 'Espere até um terminar ou cancele-o onde ele está sendo feito.',
  },
  TLS_REQUIRED: {
    title: 'HTTPS obrigatório',
    meaning: 'A API tem um certificado e só aceita pedidos sem criptografia da própria máquina.',
    remedy:
      'Use um endereço que comece com https. Troque toda senha ou chave que você enviou sem criptografia.',
  },
  INTERNAL: {
    title: 'Algo deu errado',
    meaning: 'Ocorreu um erro inesperado. O log tem a causa sob o ID do pedido.',
    remedy: 'Tente de novo. Se acontecer outra vez, envie o diagnóstico junto com o ID do pedido.',
  },
  DATABASE_UNAVAILABLE: {
    title: 'Banco de dados indisponível',
    meaning: 'O banco de dados não responde.',
    remedy: 'Ele está sendo reiniciado. Tente de novo em instantes.',
  },
  API_UNAVAILABLE: {
    title: 'API indisponível',
    meaning: 'O supervisor está rodando, mas a API não responde.',
    remedy: 'A API está iniciando, ou falhou: castellan status mostra o motivo.',
  },
  DISK_FULL: {
    title: 'Disco cheio',
    meaning: 'Um disco desta máquina está cheio, e nada pode ser salvo. O que já foi salvo está seguro.',
    remedy:
      'Libere espaço no disco indicado, ou mova a pasta de dados para um maior. O Castellan então continua sozinho.',
  },
  SHUTTING_DOWN: {
    title: 'Encerrando',
    meaning: 'O Castellan está encerrando e não aceita trabalho novo.',
    remedy: 'Tente de novo em instantes.',
  },
};

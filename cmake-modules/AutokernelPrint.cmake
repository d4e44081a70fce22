# cmake -DTOOL=... -DARGUMENTS=a;b -DOUT=... -P: writes what the tool prints.
execute_process(COMMAND "${TOOL}" ${ARGUMENTS} OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
file(WRITE "${OUT}" "${text}")

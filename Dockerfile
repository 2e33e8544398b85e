# The program with everything its commands need, for a first look:
#   docker build -t pomgcheck . && docker run --rm -v "$PWD:/work" pomgcheck
# runs the demo in the current folder; `docker run --rm -v "$PWD:/work" pomgcheck certify game.toml` any other command.
FROM python:3.12-slim
COPY . /source
RUN pip install --no-cache-dir "/source[cross-check,repair]" && rm -rf /source
WORKDIR /work
ENTRYPOINT ["pomgcheck"]
CMD ["demo"]
